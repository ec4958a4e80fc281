/** The settings' own spelling: "True" and "False", and interfaces whose first element is null. */
import { BadRequest } from '../../kernel/errors.ts'
import type { Static } from '../../kernel/type.ts'
import type { gatewayContract } from './contract.ts'
import type { GatewaySettings, PrivateInterface } from './settings-rules.ts'

type Body = Static<(typeof gatewayContract)['gatewayUpdate']['body']>['Appliance']
type Sent = NonNullable<NonNullable<Body['Settings']>['MobileGateway']>

export function settingsFromWire(sent: Sent | undefined): GatewaySettings | undefined {
  if (sent === undefined) return undefined
  const { InternetConnection, InterDeviceCommunication, Interfaces, StaticRoutes } = sent
  return {
    ...(InternetConnection ? { internetConnection: InternetConnection.Enabled === 'True' } : {}),
    ...(InterDeviceCommunication
      ? { interDeviceCommunication: InterDeviceCommunication.Enabled === 'True' }
      : {}),
    ...(Interfaces ? { privateInterface: privateFromWire(Interfaces) } : {}),
    ...(StaticRoutes
      ? {
          staticRoutes: StaticRoutes.map(({ Prefix, NextHop }) => ({
            prefix: Prefix,
            nextHop: NextHop,
          })),
        }
      : {}),
  }
}

export function settingsToWire(settings: GatewaySettings | undefined) {
  if (settings === undefined) return null
  const { internetConnection, interDeviceCommunication, privateInterface, staticRoutes } = settings
  return {
    MobileGateway: {
      ...(internetConnection === undefined
        ? {}
        : { InternetConnection: toggle(internetConnection) }),
      ...(privateInterface === undefined ? {} : { Interfaces: privateToWire(privateInterface) }),
      ...(staticRoutes === undefined
        ? {}
        : {
            StaticRoutes: staticRoutes.map(({ prefix, nextHop }) => ({
              Prefix: prefix,
              NextHop: nextHop,
            })),
          }),
      ...(interDeviceCommunication === undefined
        ? {}
        : { InterDeviceCommunication: toggle(interDeviceCommunication) }),
    },
  }
}

function privateFromWire([first, second]: NonNullable<
  Sent['Interfaces']
>): PrivateInterface | null {
  if (first) {
    throw new BadRequest(
      'Appliance.Settings.MobileGateway.Interfaces[0] must be null.',
      'Appliance.Settings.MobileGateway.Interfaces[0] は null でなければなりません。',
    )
  }
  return second ? { addresses: second.IPAddress, maskLength: second.NetworkMaskLen } : null
}

function privateToWire(sent: PrivateInterface | null) {
  if (sent === null) return [null]
  return [null, { IPAddress: [...sent.addresses], NetworkMaskLen: sent.maskLength }]
}

function toggle(enabled: boolean) {
  return { Enabled: enabled ? 'True' : 'False' }
}

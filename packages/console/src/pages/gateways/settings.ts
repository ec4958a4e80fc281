/** The settings of a gateway as a form fills them, and where two versions of them differ. */
import type { MobileGateway } from '@kumoi/client'
import { gatewayText } from './texts.ts'

export interface SettingsForm {
  readonly internet: boolean
  readonly devices: boolean
  readonly addresses: string
  readonly maskLength: string
  readonly routes: string
}

export type WireSettings = { readonly MobileGateway: MobileGateway } | null

export function toForm(settings: WireSettings | undefined): SettingsForm {
  const given = settings?.MobileGateway
  const own = given?.Interfaces?.[1]
  return {
    internet: given?.InternetConnection?.Enabled === 'True',
    devices: given?.InterDeviceCommunication?.Enabled === 'True',
    addresses: own?.IPAddress.join(', ') ?? '',
    maskLength: String(own?.NetworkMaskLen ?? 24),
    routes: (given?.StaticRoutes ?? [])
      .map(({ Prefix, NextHop }) => `${Prefix} ${NextHop}`)
      .join('\n'),
  }
}

export function fromForm(form: SettingsForm): MobileGateway {
  const addresses = form.addresses.split(/[\s,]+/).filter((text) => text !== '')
  const routes = form.routes.split('\n').filter((line) => line.trim() !== '')
  return {
    InternetConnection: { Enabled: form.internet ? 'True' : 'False' },
    InterDeviceCommunication: { Enabled: form.devices ? 'True' : 'False' },
    Interfaces:
      addresses.length === 0
        ? [null]
        : [null, { IPAddress: addresses, NetworkMaskLen: Number(form.maskLength) }],
    StaticRoutes: routes.map((line) => {
      const [Prefix = '', NextHop = ''] = line.trim().split(/[\s,]+/)
      return { Prefix, NextHop }
    }),
  }
}

export interface Difference {
  readonly name: keyof MobileGateway
  readonly stored: string
  readonly applied: string
}

/** Each setting with both of its values, as words. */
export function differencesOf(
  stored: WireSettings | undefined,
  applied: WireSettings | undefined,
): Difference[] {
  const names = [
    'InternetConnection',
    'InterDeviceCommunication',
    'Interfaces',
    'StaticRoutes',
  ] as const
  return names.map((name) => ({
    name,
    stored: spell(stored, name),
    applied: spell(applied, name),
  }))
}

const SWITCHES: ReadonlySet<string> = new Set(['InternetConnection', 'InterDeviceCommunication'])

function spell(settings: WireSettings | undefined, name: keyof MobileGateway): string {
  const value = settings?.MobileGateway[name]
  // What was never set is off, and is not other than what was turned off.
  if (value === undefined || value === null) return SWITCHES.has(name) ? gatewayText('off') : '–'
  if ('Enabled' in value) return gatewayText(value.Enabled === 'True' ? 'on' : 'off')
  const texts = value.flatMap((one) => {
    if (one === null) return []
    return 'Prefix' in one
      ? [`${one.Prefix} → ${one.NextHop}`]
      : [one.IPAddress.map((address) => `${address}/${one.NetworkMaskLen}`).join(', ')]
  })
  return texts.length === 0 ? '–' : texts.join('\n')
}

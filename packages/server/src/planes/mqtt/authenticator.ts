/** Who may connect: the answers to CONNECT, by the return codes of MQTT 3.1.1. */
import type { AuthenticateError, Client, ConnectPacket } from 'aedes'
import { Conflict, Unauthorized } from '../../kernel/errors.ts'
import { type Random, randomHex } from '../../kernel/random.ts'
import type { DeviceLinks } from '../../services/iot/public.ts'
import { Connection, type ConnectionParts } from './connection.ts'
import type { Connections } from './connections.ts'

const IDENTIFIER_REJECTED = 2
const SERVER_UNAVAILABLE = 3
const BAD_USER_NAME_OR_PASSWORD = 4
const NOT_AUTHORIZED = 5

/** Of a name that a device gives itself: some characters, none of them a control character. */
const CLIENT_ID = /^\P{Cc}{1,128}$/u

/** The card in front, so that no device can take a name of another. */
function nameOf(iccid: string, clientId: string): string {
  return `${iccid}/${clientId}`
}

export interface AuthenticatorParts extends Pick<ConnectionParts, 'onSent' | 'onFailed'> {
  readonly links: DeviceLinks
  readonly connections: Connections
  readonly random: Random
}

/** To be called when the socket is gone, perhaps because the server stops. */
type End = (isStopping: boolean) => Promise<void>

interface ConnectRequest {
  readonly clientId: string
  readonly isClean: boolean
  readonly hasWill: boolean
}

export class Authenticator {
  readonly #parts: AuthenticatorParts
  readonly #requests = new WeakMap<Client, ConnectRequest>()

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts
  }

  /** Before anything is checked: remembers what the broker does not pass on, and renames the client. */
  remember(client: Client, packet: ConnectPacket): void {
    const isClean = packet.clean === true
    const made = isClean ? `made-${randomHex(this.#parts.random, 32)}` : ''
    const clientId = packet.clientId || made
    this.#requests.set(client, { clientId, isClean, hasWill: packet.will !== undefined })
    packet.clientId = nameOf(packet.username ?? '', clientId)
  }

  /** Answers with what ends the connection; throws what the broker refuses it with. */
  async authenticate(client: Client, iccid: string, secret: string): Promise<End> {
    const request = this.#requests.get(client)
    if (request === undefined || !CLIENT_ID.test(request.clientId))
      throw refusal(IDENTIFIER_REJECTED)
    // Nobody would get it: a device has no topics that others read.
    if (request.hasWill) throw refusal(NOT_AUTHORIZED)
    const { links, connections, random } = this.#parts
    const device = await links.identify(iccid, secret).catch((error: unknown) => {
      throw refusalOf(error)
    })
    const limits = await links.limits()
    if (!connections.reserve(device.accountId, limits.connections)) {
      throw refusal(SERVER_UNAVAILABLE)
    }
    const id = randomHex(random, 32)
    const { clientId, isClean } = request
    const before = await links
      .openSession(device, clientId, id, isClean)
      .catch((error: unknown) => {
        connections.release(device.accountId)
        throw error
      })
    const connection = new Connection({
      ...{ ...this.#parts, client, device, id, clientId, isClean },
      wasCut: before?.openedBy !== undefined && !connections.has(before.openedBy),
      subscriptions: isClean ? [] : (before?.subscriptions ?? []),
    })
    connections.add(client, id, connection, limits.messagesPerSecond)
    return async (isStopping) => {
      connections.remove(client, id)
      if (isStopping) connection.stop()
      else await connection.end()
    }
  }
}

function refusal(returnCode: number): AuthenticateError {
  return Object.assign(new Error('refused'), { returnCode })
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Unauthorized) return refusal(BAD_USER_NAME_OR_PASSWORD)
  if (error instanceof Conflict) return refusal(NOT_AUTHORIZED)
  return error
}

/** What the database or we did wrong is no fault of the device. */
export function answerOf(error: unknown): { readonly answer: AuthenticateError; isFault: boolean } {
  if (error instanceof Error && 'returnCode' in error) {
    return { answer: error as AuthenticateError, isFault: false }
  }
  return { answer: refusal(SERVER_UNAVAILABLE), isFault: true }
}

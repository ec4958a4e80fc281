/** The port to whatever sends packets to network elements. */
import type { Answer, ElementRequest } from './rules.ts'

/** Where an element listens for requests of the server (RFC 5176), and the secret that both know. */
export interface Target {
  readonly host: string
  readonly port: number
  readonly secret: string
  /** The name of the element, where another takes the packets for it. */
  readonly relayTo?: string
}

/** By what an element finds the session, and what it shall do. */
export type Packet = Pick<
  ElementRequest,
  'kind' | 'acctSessionId' | 'imsi' | 'ip' | 'bitsPerSecond'
>

/** `unavailable`: nothing could be sent at all. The reason is for people and holds no secret. */
export type SendResult =
  | { readonly outcome: 'sent'; readonly answers: readonly Answer[] }
  | { readonly outcome: 'unavailable'; readonly reason: string }

export interface Sender {
  /** One answer a packet, in their order, within `SEND_SECONDS_MAX`. */
  send(target: Target, packets: readonly Packet[]): Promise<SendResult>
  /** Whether packets can be sent at all. */
  check(): Promise<{ readonly ok: boolean; readonly detail: string }>
}

export const PACKETS_MAX = 50
export const SEND_SECONDS_MAX = 10

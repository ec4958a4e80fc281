/**
 * What `kumoi/testing` offers, in plain types and those of the client alone: whoever compiles a test needs
 * nothing of the server.
 */
import type { Client, ClientOptions, Input, Reply } from '@kumoi/client'

export interface StartOptions {
  /** What a world file holds; the demo world when left out. */
  readonly world?: object
  /** The same seed gives the same ids, tokens and serials. */
  readonly seed?: string
  /** Where the clock stands; `real` lets it run. */
  readonly clock?: Date | 'real'
  /** Listens by TLS on this port of localhost, under a CA of its own; 0 picks one. */
  readonly port?: number
  /** Delivers sites of the web accelerator by HTTP on this port of 127.0.0.1; 0 picks one. */
  readonly edgePort?: number
}

export interface ApiKey {
  readonly token: string
  readonly secret: string
}

export interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

/** Something that fell due while the clock was moved. */
export interface Fired {
  readonly name: string
  readonly at: Date
}

export interface CloudClock {
  now(): Date
  /** Runs all that falls due on the way, each at its own time, and answers with what it was. */
  advance(by: Span): Promise<readonly Fired[]>
  advanceTo(time: Date): Promise<readonly Fired[]>
}

/** As POST /faults takes it; see docs/testing.md. */
export type FaultOrder = Input<'faultAdd'>['body']
export type Fault = Reply<'faultAdd'>['fault']

export interface Faults {
  add(order: FaultOrder): Promise<Fault>
  list(): Promise<readonly Fault[]>
  clear(): Promise<void>
}

export type Attached = Reply<'deviceAttach'>
/** `payload` is all that must be given; see docs/iot-messages.md. */
export type DeviceMessageDraft = Input<'operatorMessageSend'>['body']
export type DeviceMessage = Reply<'operatorMessageSend'>['message']

/** A device with a SIM card in it. */
export interface Device {
  /** Answers whether it was let in, with its address or the reason. */
  attach(device?: { readonly imei?: string; readonly carrier?: string }): Promise<Attached>
  detach(): Promise<void>
  /** So many bytes more. */
  traffic(bytes: { readonly uplink?: number; readonly downlink?: number }): Promise<void>
  /** To the project that the SIM is connected to; every adapter of it gets the message. */
  send(message: DeviceMessageDraft): Promise<DeviceMessage>
}

/** Members that must be equal, or a function that decides. */
export type Match<T> = Partial<T> | ((one: T) => boolean)

export interface WaitOptions {
  /** Real time; 5000 when left out. */
  readonly timeoutMs?: number
}

export interface Waiting<T, Found = T> {
  /** The newest that matches, as soon as there is one. */
  waitFor(match?: Match<T>, options?: WaitOptions): Promise<Found>
}

export type ShortMessage = Reply<'smsOutboxList'>['messages'][number]
export type Notice = Reply<'noticeList'>['notices'][number]
/** Of an outgoing webhook to one adapter, with every attempt in `log`. */
export type Delivery = Reply<'webhookOutboxList'>['webhooks'][number]
/** The same with what was sent. */
export type DeliveryWithMessage = Delivery & { readonly message: DeviceMessage }

export interface WebhookTargetOptions {
  /** The secret of the adapter; with it `verified` of a request says whether its signature is right. */
  readonly secret?: string
}

export interface WebhookRequest {
  /** `webhook-id`: the id of the message, the same for each attempt. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body, read as the message that an outgoing webhook sends. */
  readonly message: DeviceMessage
  /** What it was answered with. */
  readonly status: number
  /** Undefined when the target knows no secret. */
  readonly verified: boolean | undefined
}

/** A receiver of outgoing webhooks, on a port of this machine. It ends with its cloud. */
export interface WebhookTarget extends Waiting<WebhookRequest> {
  readonly url: string
  /** Oldest first. */
  readonly requests: readonly WebhookRequest[]
  /** One after the other; the last one from then on. Until then the answer is 204. */
  respondWith(...statuses: readonly [number, ...number[]]): void
}

export interface RunningCloud {
  /** What paths of the interface are appended to, such as `/zone/is1a/api/cloud/1.1/auth-status`. */
  readonly url: string
  readonly origin: string
  /** To be trusted by a client that comes through the port. */
  readonly ca: string | undefined
  readonly operatorToken: string
  /** Where sites are delivered, by the name in `Host`; undefined without an edge. */
  readonly edgeUrl: string | undefined
  /** Needs no socket; a path is taken below `origin`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Calls the operator API; a refusal is thrown. */
  operator(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>>
  /** Signed in with the first key of the world, and with the operator token. Retries nothing. */
  readonly client: Client
  /** With another key, or with other options. */
  clientFor(key: ApiKey, options?: Partial<ClientOptions>): Client
  readonly clock: CloudClock
  readonly faults: Faults
  device(iccid: string): Device
  readonly sms: Waiting<ShortMessage>
  /** A delivery counts when it has been tried, or was given up without a try. */
  readonly webhooks: Waiting<Delivery, DeliveryWithMessage>
  readonly notices: Waiting<Notice>
  webhookTarget(options?: WebhookTargetOptions): Promise<WebhookTarget>
  /** Answers with the name to come back to. */
  snapshot(): Promise<string>
  restore(name: string): Promise<void>
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What a runner gives to a test to clean up with: `after` of node:test, `onTestFinished` of Vitest. */
export type TestEnd =
  | { after(work: () => Promise<void>): void }
  | { onTestFinished(work: () => Promise<void>): void }

/** The hooks that Jest, Vitest and node:test have by these names. */
export interface Hooks {
  beforeEach(work: () => Promise<void>): unknown
  afterEach(work: () => Promise<void>): unknown
}

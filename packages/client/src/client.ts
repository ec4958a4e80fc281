/**
 * The interface as functions. Each operation is there by the name that its contract gives it, three times:
 * `client.simActivate` answers with a result, refused or not; `client.orThrow.simActivate` throws what is
 * refused; `client.each.itemList` goes through a list, however many answers it takes.
 */
import { readData, readRefusal } from './answer.ts'
import { type ChangeEvent, type EventOptions, events, type ServerEvent } from './events.ts'
import { operations } from './generated/operations.ts'
import { pages } from './pages.ts'
import { RefusalError } from './refusal-error.ts'
import { sleepFor } from './retry.ts'
import { type Download, type DownloadOrder, download, upload } from './transfer.ts'
import type {
  AnyInput,
  CallOptions,
  Calls,
  EachOptions,
  ListName,
  Lists,
  OperationName,
  Result,
  ThrowingCalls,
} from './types.ts'
import type { UploadOrder } from './upload-order.ts'
import { type ClientOptions, type Fetch, type Send, wire } from './wire.ts'

export interface Client extends Calls {
  readonly orThrow: ThrowingCalls
  readonly each: Lists
  /** Calls an operation whose name is known only when the program runs. */
  call(name: OperationName, input?: AnyInput, options?: CallOptions): Promise<Result<unknown>>
  /** Opens an answer as a stream: for what is large or does not end. */
  open(
    name: OperationName,
    input?: AnyInput,
    options?: CallOptions,
  ): Promise<Result<ReadableStream<Uint8Array>>>
  /** Follows what the server is asked, as it happens. */
  events(options?: EventOptions): AsyncGenerator<ServerEvent, void>
  /** Follows what is changed in its state, by requests and by jobs. */
  changes(options?: EventOptions): AsyncGenerator<ChangeEvent, void>
  upload(order: UploadOrder): Promise<Result<Readonly<Record<string, unknown>>>>
  download(order: DownloadOrder): Promise<Result<Download>>
}

/** Calls reject only when no readable answer came: a refusal is a result like any other. */
export function createClient(options: ClientOptions): Client {
  const send = wire(options)
  const call: Client['call'] = async (name, input = {}, callOptions = {}) => {
    const response = await send(name, input, callOptions)
    if (!response.ok) return { ok: false, refusal: await readRefusal(response) }
    return { ok: true, status: response.status, data: await readData(response) }
  }
  const mustCall = async (name: OperationName, input?: AnyInput, callOptions?: CallOptions) => {
    const result = await call(name, input, callOptions)
    if (result.ok) return result.data
    throw new RefusalError(name, result.refusal)
  }
  // The table has every operation, and the generated types say of each what these functions do.
  return {
    ...byName((name) => (input?: AnyInput, given?: CallOptions) => call(name, input, given)),
    orThrow: byName(
      (name) => (input?: AnyInput, given?: CallOptions) => mustCall(name, input, given),
    ),
    each: byName(
      (name) =>
        (input: AnyInput = {}, given: EachOptions = {}) =>
          pages(mustCall, name as ListName, input, given),
    ),
    call,
    ...streams(options, send),
  } as unknown as Client
}

function byName<T>(make: (name: OperationName) => T): Readonly<Record<string, T>> {
  // Object.keys cannot know that the table has no other keys than those of its type.
  const names = Object.keys(operations) as OperationName[]
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

function streams(
  options: ClientOptions,
  send: Send,
): Pick<Client, 'open' | 'events' | 'changes' | 'upload' | 'download'> {
  const fetchOne: Fetch = options.fetch ?? ((url, init) => fetch(url, init))
  const openWith = async (...given: Parameters<Send>) => {
    const response = await send(...given)
    if (!response.ok) return { ok: false, refusal: await readRefusal(response) } as const
    const data = response.body ?? new Blob([]).stream()
    return { ok: true, status: response.status, data } as const
  }
  const sleep = options.sleep ?? sleepFor
  const openEvents = (last: string, signal: AbortSignal | undefined) =>
    openWith(
      'eventStream',
      {},
      {
        ...(signal !== undefined && { signal }),
        ...(last !== '' && { headers: { 'last-event-id': last } }),
      },
    )
  return {
    open: (name, input = {}, callOptions = {}) => openWith(name, input, callOptions),
    events: (eventOptions = {}) =>
      events(openEvents, sleep, eventOptions, (event) => event.type === 'request'),
    changes: (eventOptions = {}) =>
      events(openEvents, sleep, eventOptions, (event) => event.type === 'change'),
    upload: (order) => upload(fetchOne, order),
    download: (order) => download(fetchOne, order),
  }
}

/** What the generated description of the operations says about one of them. */
import type { operations } from './generated/operations.ts'
import type { GeneralCode, Operations } from './generated/types.ts'
import type { Search } from './search.ts'

export type OperationName = keyof Operations

/** Of an operation, the parts that a caller gives. */
type Given<N extends OperationName> = Omit<Operations[N], 'reply' | 'refuses'>

/** A part may be left out when all that is in it may be. */
type OptionalParts<T> = { [K in keyof T]: Record<never, never> extends T[K] ? K : never }[keyof T]

export type Input<N extends OperationName> = Omit<Given<N>, OptionalParts<Given<N>>> &
  Partial<Pick<Given<N>, OptionalParts<Given<N>>>>

/** What an operation answers with, as its contract describes it. */
export type Reply<N extends OperationName> = Operations[N]['reply']

/** Codes that the client can meet; `unknown` is what a proxy in between said in its own form. */
export type RefusalCode<N extends OperationName> =
  | Operations[N]['refuses']
  | GeneralCode
  | 'too_many_request'
  | 'service_unavailable'
  | 'unknown'

export interface Refusal<Code extends string = string> {
  readonly code: Code
  readonly status: number
  /** The kind of failure, then the cause in further lines. */
  readonly message: string
  /** Finds the request in the log of the server. */
  readonly serial: string
  /** When the next try may succeed, if the server has said so. */
  readonly retryAfterSeconds?: number
}

export type Result<Data, Code extends string = string> =
  | { readonly ok: true; readonly status: number; readonly data: Data }
  | { readonly ok: false; readonly refusal: Refusal<Code> }

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Another zone than the client's. */
  readonly zone?: string
}

/** The input may be left out when nothing in it must be given. */
type Arguments<N extends OperationName, Options> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: Options]
    : [input: Input<N>, options?: Options]

/** Each operation as a function whose refusals are results. */
export type Calls = {
  readonly [N in OperationName]: (
    ...given: Arguments<N, CallOptions>
  ) => Promise<Result<Reply<N>, RefusalCode<N>>>
}

/** Each operation as a function whose refusals are thrown. */
export type ThrowingCalls = {
  readonly [N in OperationName]: (...given: Arguments<N, CallOptions>) => Promise<Reply<N>>
}

type Table = typeof operations

/** The operations that answer with a list. */
export type ListName = {
  [N in keyof Table]: Table[N] extends { list: string } ? N : never
}[keyof Table]

type At<T, Path extends string> = Path extends `${infer Step}.${infer Rest}`
  ? Step extends keyof T
    ? At<T[Step], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never

type ListOf<N extends ListName> = At<
  Reply<N>,
  Table[N] extends { list: infer P extends string } ? P : never
>

/** One element of the list that an operation answers with. */
export type Element<N extends ListName> = ListOf<N> extends readonly (infer E)[] ? E : never

export interface EachOptions extends CallOptions {
  /** How many to ask for at once; 100 unless said otherwise. */
  readonly pageSize?: number
}

/** Each list as a sequence of its elements, over as many answers as there are. */
export type Lists = {
  readonly [N in ListName]: (
    ...given: Arguments<N, EachOptions>
  ) => AsyncGenerator<Element<N>, void>
}

/** An input whose operation is known only when the program runs. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly search?: Search
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** A body that is sent as it is. */
  readonly text?: string
}

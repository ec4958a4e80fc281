/**
 * One operation of the interface as plain data: no handler, no framework. Validation, types, the
 * OpenAPI files, the client, the walk over all operations and docs/errors.md read it from here.
 */
import type { AfterCommit } from './after-commit.ts'
import type { RefusalCode } from './errors.ts'
import type { SearchQuery } from './search-query.ts'
import type { Static, TObject, TSchema } from './type.ts'
import type { Zone } from './zone.ts'

/** What a key may do, each level including those before it (docs/requests.md). */
export const ACCESS_LEVELS = ['view', 'power', 'arrange', 'create'] as const
export type AccessLevel = (typeof ACCESS_LEVELS)[number]

export const EXTERNAL_PERMISSIONS = ['bill', 'cdn'] as const
export type ExternalPermission = (typeof EXTERNAL_PERMISSIONS)[number]

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base of its family; `{name}` stands for a path parameter. */
  readonly path: string
  readonly summary: string
  /**
   * `public` asks for no credentials; `loopback` asks none of a caller on this machine; `token` asks for
   * one that was handed out for this very thing, such as an upload.
   */
  readonly access: AccessLevel | 'operator' | 'loopback' | 'public' | 'token'
  /** A request without credentials is let in, too, when it has this header (docs/billing.md). */
  readonly openWith?: { readonly header: string; readonly value: string }
  /** Where calls are limited, those of this operation are not: it is ours, and made to be called often. */
  readonly uncounted?: true
  /** Not kept among the requests that an operator sees: programs of ours call it all the time. */
  readonly unlisted?: true
  /** The external permission that the key must carry besides its level. */
  readonly external?: ExternalPermission
  readonly params?: TObject
  /** `search` is the search object that list and log operations take. */
  readonly query?: 'search' | TObject
  /** Only `key=value` pairs are read; a JSON object is ignored. */
  readonly plainQuery?: true
  /** How many a search answers with when it does not say; without it, all up to the cap. */
  readonly defaultCount?: number
  readonly body?: TSchema
  /** What clients may send along: it is checked, and changes nothing. */
  readonly optionalBody?: TSchema
  /** The body is handed on as text, unparsed. */
  readonly textBody?: true
  /** The body is handed on as the bytes that came, `body` only describes it: for signatures. */
  readonly bytesBody?: true
  /** The body is a form with a file in the field of this name, handed on while it comes in. */
  readonly fileBody?: string
  /** How large a body may be; 1 MiB unless said otherwise. */
  readonly bodyLimitMib?: number
  /** 200 unless said otherwise; 204 has no body. */
  readonly status?: 201 | 202 | 204
  readonly reply: TSchema
  /** The reply is known only some time after the transaction is durable. */
  readonly afterCommit?: true
  /** The reply is JSON without the envelope. */
  readonly bare?: true
  /** The reply is text of this media type instead of the JSON envelope. */
  readonly media?: string
  readonly refuses: Readonly<Partial<Record<RefusalCode, string>>>
}

export type Contract = Readonly<Record<string, Operation>>
export const defineContract = <const C extends Contract>(contract: C): C => contract

/** A file that is coming in. Its content is read once, and ends only if all of the form has come. */
export interface IncomingFile {
  open(): Promise<{
    readonly mediaType: string | undefined
    readonly content: AsyncIterable<Uint8Array>
  }>
}

/** Operations that share a version in the path, and the habits that go with it. */
export interface Family {
  readonly name: string
  readonly title: string
  /** Below `{base_url}`, or below the origin when `root` is set. */
  readonly base: string
  readonly root?: true
  /** Interface, common conventions 9: the web accelerator does not pretty-print. */
  readonly beautify: boolean
  /** Keys may be shown by Digest, too. */
  readonly digest?: true
  /** The only zones whose path leads here; all of them when left out. */
  readonly zones?: readonly Zone[]
}

type ParamsOf<O extends Operation> = O extends { params: infer P extends TSchema }
  ? Static<P>
  : Record<never, never>
type BodyOf<O extends Operation> = O extends { textBody: true }
  ? string
  : O extends { bytesBody: true }
    ? Buffer
    : O extends { fileBody: string }
      ? IncomingFile
      : JsonBodyOf<O>
type JsonBodyOf<O extends Operation> = O extends { body: infer B extends TSchema }
  ? Static<B>
  : undefined
type QueryOf<O extends Operation> = O extends { query: 'search' }
  ? SearchQuery
  : O extends { query: infer Q extends TSchema }
    ? Static<Q>
    : undefined

export interface Input<O extends Operation> {
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
}

type ReplyOf<O extends Operation> = O extends { afterCommit: true }
  ? AfterCommit<Static<O['reply']>>
  : Static<O['reply']>

/** Each operation of the contract has exactly one handler; the compiler counts them. */
export type Handlers<C extends Contract, Context> = {
  readonly [Name in keyof C]: (input: Input<C[Name]>, context: Context) => Promise<ReplyOf<C[Name]>>
}

/** Handlers of any contract, each checked against its own operation where it was written. */
export type AnyHandlers = Readonly<
  Record<string, (input: never, context: never) => Promise<unknown>>
>

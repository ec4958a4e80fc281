/** A command that calls one operation, as the generated table describes it. */
export interface CommandEntry {
  readonly noun: string
  /** Empty for an operation of one word. */
  readonly verb: string
  readonly operation: string
  readonly summary: string
  /** The parameters of the path, in its order. */
  readonly params?: readonly string[]
  /** Those that are ids of things with names, and the list that has both. */
  readonly named?: Readonly<Record<string, string>>
  /** Takes the search object. */
  readonly search?: true
  /** Takes a text or a file as it is. */
  readonly text?: true
  /** Answers with something else than JSON. */
  readonly media?: true
  /** The answer has the address of a file to be sent or fetched. */
  readonly transfer?: 'upload' | 'download'
  /** What it answers with becomes available after a while. */
  readonly waits?: true
  /** Members of the body that can have one value only. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly flags?: readonly Flag[]
}

export interface Flag {
  readonly flag: string
  readonly in: 'body' | 'query'
  /** Where its value belongs, step by step. */
  readonly path: string
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'json'
  readonly choices?: readonly string[]
  readonly required?: true
}

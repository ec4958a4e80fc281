/** What the audit trail keeps of a call: never a body, a header, a query or a secret. */
export interface AuditEntry {
  readonly at: Date
  /** `operator`, or `key` and how its token begins. */
  readonly caller: string
  /** The code of the account that made the call, or that the operator's call is about. */
  readonly account: string | undefined
  readonly address: string
  /** What the client calls itself, such as `console`. */
  readonly client: string | undefined
  readonly operation: string
  /** The parameters of the path, and the id of what was created. */
  readonly target: Readonly<Record<string, string>>
  readonly status: number
  /** Of a refusal. */
  readonly code: string | undefined
  readonly serial: string
}

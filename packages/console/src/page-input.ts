/** What a page is given. */
export interface PageInput {
  /** The values of the `{names}` in its path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

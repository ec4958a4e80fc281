/** Rows inserted, updated or deleted, by the name of the table. */
export type Changes = Readonly<Record<string, number>>

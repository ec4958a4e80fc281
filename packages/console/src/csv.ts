/** Comma-separated values (RFC 4180): quoted fields may hold commas, line ends and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let rest = text.replace(/^\uFEFF/, '')
  while (rest !== '') {
    const [whole = rest, quoted, bare = '', end = ''] =
      /^(?:[ \t]*"((?:[^"]|"")*)"[ \t]*|([^,\r\n]*))(,|\r?\n|\r|$)/.exec(rest) ?? [
        rest,
        undefined,
        rest,
      ]
    row.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'))
    rest = rest.slice(whole.length)
    if (end === ',') {
      if (rest === '') row.push('')
      else continue
    }
    if (row.some((field) => field !== '')) rows.push(row)
    row = []
  }
  return rows
}

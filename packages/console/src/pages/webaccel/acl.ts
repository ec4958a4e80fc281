/** The number of the first line that is no rule; addresses themselves are left to the server. */
export function aclProblem(text: string): number | undefined {
  const lines = text.split('\n')
  const at = lines.findIndex(
    (line) =>
      line.trim() !== '' && !/^(allow|deny)\s+(all|[0-9a-f.:]+(\/\d{1,3})?)$/i.test(line.trim()),
  )
  return at < 0 ? undefined : at + 1
}

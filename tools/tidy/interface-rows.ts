/**
 * Every row of the interface's tables of states, errors and limits has an id. A row that is built
 * is cited by a test under packages/ or acceptance/, in its title.
 */
import { type Finding, lineWith, type TextFile } from './finding.ts'

export interface InterfaceRow {
  readonly id: string
  readonly text: string
  readonly status: string
}

const ID = /\b(?:STATE|ERROR|LIMIT)(?:-[A-Z]+)*-\d{2,3}\b/g

export function rowFindings(list: TextFile, files: readonly TextFile[]): Finding[] {
  const rows: readonly InterfaceRow[] = JSON.parse(list.text)
  const tests = files.filter(({ path }) => /^(packages|acceptance)\/.*\.test\.ts$/.test(path))
  const cited = new Set(tests.flatMap(({ text }) => text.match(ID) ?? []))
  const ids = rows.map(({ id }) => id)
  const problems = rows.flatMap(({ id, text, status }, index) => {
    const messages = []
    if (ids.indexOf(id) !== index) messages.push(`${id} is there twice`)
    if (id.match(ID)?.[0] !== id) messages.push(`${id} is not of the form of an id`)
    if (status !== 'open' && status !== 'built') messages.push(`${id} is neither open nor built`)
    if (status === 'built' && !cited.has(id)) {
      messages.push(`${id} is built, but no test cites it: ${text}`)
    }
    return messages.map((message) => ({ path: list.path, line: lineWith(list.text, id), message }))
  })
  return [...problems, ...tests.flatMap((test) => unknownIds(test, new Set(ids)))]
}

function unknownIds({ path, text }: TextFile, known: ReadonlySet<string>): Finding[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      (content.match(ID) ?? [])
        .filter((id) => !known.has(id))
        .map((id) => ({ path, line: index + 1, message: `${id} is no row of the interface` })),
    )
}

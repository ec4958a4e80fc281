/** What a check finds, and the form that all checks of one file have. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** A check is pure: a path and its text in, findings out. Whether it applies is its own affair. */
export type Check = (path: string, text: string) => Finding[]

export interface TextFile {
  readonly path: string
  readonly text: string
}

export function formatFinding({ path, line, message }: Finding): string {
  return `${path}:${line}: ${message}`
}

/** Tests, and what only they use. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/testing/') || path.startsWith('acceptance/')
}

/** One finding per line that matches. */
export function matchingLines(
  path: string,
  text: string,
  pattern: RegExp,
  message: (match: string) => string,
): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const match = pattern.exec(content)
    return match === null ? [] : [{ path, line: index + 1, message: message(match[0]) }]
  })
}

/** Where an entry of a JSON list stands, for those who have to change it. */
export function lineWith(text: string, value: string): number {
  return text.split('\n').findIndex((line) => line.includes(JSON.stringify(value))) + 1
}

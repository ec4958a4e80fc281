/** Tags in one column: each between line breaks, so that a search can tell a whole tag from a part. */

export function tagsToText(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `\n${tags.join('\n')}\n`
}

export function tagsFromText(text: string): string[] {
  return text === '' ? [] : text.slice(1, -1).split('\n')
}

/** Which files of a project were opened in this tab: the interface has no list of them. */
export const FILE_ID = /^[A-Za-z0-9][A-Za-z0-9_.]{0,31}$/
export const FILE_BYTES_MAX = 300 * 1024 * 1024

const keyOf = (projectId: string) => `kumoi.files.${projectId}`

export function knownFiles(projectId: string): string[] {
  const text = sessionStorage.getItem(keyOf(projectId)) ?? ''
  return text.split(' ').filter((id) => FILE_ID.test(id))
}

export function rememberFile(projectId: string, id: string): void {
  const ids = new Set([...knownFiles(projectId), id])
  sessionStorage.setItem(keyOf(projectId), [...ids].sort().join(' '))
}

/** The nearest file id to what a file is called elsewhere. */
export function idFromName(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9_.]/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 32)
}

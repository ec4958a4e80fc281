/** The lock file installs what it names from the registry that npm is set to, unchanged, and nothing else. */
import type { Finding } from './finding.ts'

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

/** Both are of tools, and only choose a binary. */
const MAY_RUN_SCRIPTS = ['node_modules/@parcel/watcher', 'node_modules/unrs-resolver']

export function lockFindings(path: string, text: string): Finding[] {
  const packages: Record<string, Locked> = JSON.parse(text).packages
  return Object.entries(packages).flatMap(([name, locked]) => {
    const message = problemOf(name, locked)
    if (message === undefined) return []
    const line = text.split('\n').findIndex((one) => one.includes(`"${name}": {`)) + 1
    return [{ path, line, message: `${name} ${message}` }]
  })
}

function problemOf(name: string, locked: Locked): string | undefined {
  const { resolved, integrity, link, hasInstallScript } = locked
  // The root and the packages of this repository.
  if (!name.includes('node_modules/')) return undefined
  if (link) return resolved?.startsWith('packages/') ? undefined : 'is a link to another place'
  // Without an address, npm takes the registry that it is set to, and the hash says whether it is the same.
  if (resolved !== undefined) return 'comes from an address of its own'
  if (!integrity?.startsWith('sha512-')) return 'has no SHA-512'
  if (hasInstallScript && !MAY_RUN_SCRIPTS.includes(name))
    return 'runs a script at its installation'
  return undefined
}

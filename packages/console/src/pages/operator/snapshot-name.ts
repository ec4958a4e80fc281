/** What the server takes as the name of a snapshot. */
const NAME_LENGTH_MAX = 64

export const isSnapshotName = (name: string) => /^[a-z0-9-]{1,64}$/.test(name)

/** The name that a file suggests. */
export function snapshotNameOf(fileName: string): string {
  const name = fileName.replace(/\.jsonl$/i, '').toLowerCase()
  return name.replaceAll(/[^a-z0-9-]+/g, '-').slice(0, NAME_LENGTH_MAX)
}

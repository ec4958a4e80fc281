/** A small JSON file that is there whole or not at all, readable by its owner only. */
import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function writeJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.tmp`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(value))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  // Without it a crash of the machine could bring the previous file back, with what was reported since.
  const folder = await open(dirname(file))
  await folder.sync().finally(() => folder.close())
}

/** Undefined when there is none. */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read.`, { cause: error })
  }
}

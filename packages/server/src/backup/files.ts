/** Files that are written once: private to their owner, and durable before they are relied on. */
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { flush } from '../storage/blobs/file-system.ts'

/** File systems make it in the top folder of a volume. */
const NOT_CONTENT = 'lost+found'

/** Also when there is no such folder. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  return (await contentOf(folder)).length === 0
}

export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await contentOf(folder)) {
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function contentOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name !== NOT_CONTENT)
}

export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Answers whether there was such a file. */
export async function copyFlushed(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
  await makePrivate(to)
  return true
}

export async function writeFlushed(file: string, text: string): Promise<void> {
  await writeFile(file, text)
  await makePrivate(file)
}

/** The entry of the folder is flushed, too: without it the file may be gone after a loss of power. */
export async function makePrivate(file: string): Promise<void> {
  await chmod(file, 0o600)
  await flush(file)
  await flush(dirname(file))
}

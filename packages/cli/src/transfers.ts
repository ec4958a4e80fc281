/** Files to and from the addresses that the interface hands out, with a bar for those who watch. */
import { createWriteStream, openAsBlob } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from '@kumoi/client'
import { EXIT, Failure, failureOf } from './failure.ts'
import { startProgress } from './progress.ts'

export async function sendFile(client: Client, answer: unknown, path: string): Promise<unknown> {
  const { url, token } = addressIn(answer)
  const file = await open(path)
  const name = basename(path)
  const progress = startProgress(name)
  try {
    const result = await client.upload({ url, token, file, name, onProgress: progress.bytes })
    if (result.ok) return result.data
    throw failureOf(result.refusal)
  } finally {
    progress.end()
  }
}

async function open(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path)
  } catch (cause) {
    throw new Failure(`The file ${path} cannot be read.`, EXIT.usage, undefined, cause)
  }
}

/** There whole or not at all; `-` is standard output. */
export async function fetchFile(client: Client, answer: unknown, path: string): Promise<void> {
  const progress = startProgress(basename(path))
  try {
    const { url } = addressIn(answer)
    const result = await client.download({ url, onProgress: progress.bytes })
    if (!result.ok) throw failureOf(result.refusal)
    await writeStream(result.data.stream, path)
  } finally {
    progress.end()
  }
}

export async function writeStream(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  // The two declarations of a web stream, of the platform and of Node, are of the same thing.
  const source = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])
  if (path === '-') {
    for await (const chunk of source) process.stdout.write(chunk)
    return
  }
  const draft = `${path}.part`
  try {
    await pipeline(source, createWriteStream(draft))
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw new Failure(`The file ${path} could not be written.`, EXIT.failed, undefined, cause)
  }
}

function addressIn(answer: unknown): { readonly url: string; readonly token: string } {
  const found = Object.values(Object(answer)).find((value) => 'url' in Object(value))
  const { url = '', token = '' } = Object(found)
  return { url, token }
}

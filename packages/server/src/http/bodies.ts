/** Collects bodies, up to a limit. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pause } from '../kernel/clock.ts'
import { BadRequest, TooLarge } from '../kernel/errors.ts'

const MIB = 1024 * 1024

export function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

export function collectBody(message: IncomingMessage, limitMib: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const refuse = () => reject(tooLarge(limitMib))
    if (Number(message.headers['content-length'] ?? 0) > limitMib * MIB) return refuse()
    // It has told of its end already, and does so once.
    if (message.destroyed) return reject(brokenOff(message.errored))
    const collect = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limitMib * MIB) return
      message.off('data', collect)
      refuse()
    }
    message.on('data', collect)
    message.once('end', () => {
      const [first] = chunks
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
    message.once('error', (cause) => reject(brokenOff(cause)))
  })
}

/** How long, and how much, a client that was refused may go on sending. */
const LINGER_MS = 2000
const LINGER_BYTES = 64 * MIB

/**
 * Ends an answer whose request has not come in whole. A connection that is closed while bytes are still
 * coming in is reset, and takes with it what the client has not read yet: so they are let come for a while.
 */
export function endLate(
  message: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer,
): void {
  response.write(body)
  const end = () => response.end()
  void pause(LINGER_MS).then(end)
  let size = 0
  message.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > LINGER_BYTES) end()
  })
  message.once('end', end).once('close', end).resume()
}

function tooLarge(limitMib: number): TooLarge {
  return new TooLarge(
    `The body is larger than the limit of ${limitMib} MiB.`,
    `本文が上限の ${limitMib} MiB を超えています。`,
  )
}

function brokenOff(cause: unknown): BadRequest {
  return new BadRequest('The body breaks off before its end.', '本文が途中で終わっています。', {
    cause,
  })
}

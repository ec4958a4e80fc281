/**
 * One file out of a form (RFC 7578), read as a stream by the parser of `@fastify/busboy`: never more than
 * a chunk of it is held. Strict: a form that ends without its last boundary, has a part without a name, or
 * has the field twice is refused, so that one that breaks off is never taken for a whole file.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dicer } from '@fastify/busboy'
import type { IncomingFile, Operation } from '../kernel/contract.ts'
import { BadRequest, Refusal, TooLarge } from '../kernel/errors.ts'
import { hasNul } from '../kernel/text-check.ts'

const MIB = 1024 * 1024
/** All that is not the file itself: boundaries, heads, other fields. */
const OVERHEAD_BYTES_MAX = MIB
const PARTS_MAX = 100
const HEAD_LIMITS = { maxHeaderSize: 16 * 1024, maxHeaderPairs: 20 }

/** What is parsed at a time, so that a form of many small parts is refused before it has cost much. */
const PIECE_BYTES = 8 * 1024

interface Part {
  readonly stream: Readable
  readonly mediaType: string | undefined
}

type Head = Readonly<Record<string, readonly string[]>>

export function formFile(message: IncomingMessage, operation: Operation): IncomingFile {
  const { fileBody: field = '', bodyLimitMib: limitMib = 1 } = operation
  return {
    async open() {
      const boundary = boundaryOf(message.headers['content-type'])
      if (Number(message.headers['content-length']) > formBytesMax(limitMib)) {
        throw tooLarge(limitMib)
      }
      // Loaded by the first upload.
      const { Dicer } = await import('@fastify/busboy')
      const form = new Form(new Dicer({ boundary, ...HEAD_LIMITS }), field)
      void form.parse(message, limitMib)
      const { stream, mediaType } = await form.file
      return { mediaType, content: contentOf(stream, form, limitMib) }
    },
  }
}

/** Ends only when the whole form was received and is in order. */
async function* contentOf(stream: Readable, form: Form, limitMib: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of stream) {
      size += chunk.length
      if (size > limitMib * MIB) throw tooLarge(limitMib)
      yield chunk
    }
    await form.whole
  } catch (error) {
    throw toRefusal(error)
  } finally {
    form.stop()
  }
}

class Form {
  readonly #parser: Dicer
  readonly #field: string
  readonly #file = Promise.withResolvers<Part>()
  readonly #parsed = Promise.withResolvers<void>()
  readonly #stopped = Promise.withResolvers<void>()
  readonly #headless = new Set<Readable>()
  #stream: Readable | undefined
  #parts = 0
  #isStopped = false

  constructor(parser: Dicer, field: string) {
    this.#parser = parser
    this.#field = field
    parser.on('part', (part) => this.#onPart(part))
    parser.once('finish', () => this.#parsed.resolve())
    parser.on('error', (error) => this.#fail(error))
    // Whoever reads the file meets a failure there.
    this.#parsed.promise.catch(() => undefined)
  }

  /** The part with the field. */
  get file(): Promise<Part> {
    return this.#file.promise
  }

  /** Fulfilled when all of the form has been received and parsed. */
  get whole(): Promise<void> {
    return this.#parsed.promise
  }

  /** Nothing more of the form is wanted. */
  stop(): void {
    this.#isStopped = true
    this.#stopped.resolve()
  }

  async parse(message: IncomingMessage, limitMib: number): Promise<void> {
    try {
      let size = 0
      // The message stays open for the answer when the form is refused.
      for await (const chunk of message.iterator({ destroyOnReturn: false })) {
        size += chunk.length
        if (size > formBytesMax(limitMib)) throw tooLarge(limitMib)
        await this.#write(chunk)
        if (this.#isStopped) return
      }
      this.#parser.end()
      // The parser does not finish where a head does not.
      if (this.#headless.size > 0) throw cutOff(undefined)
      await this.#parsed.promise
      this.#file.reject(broken(`has no field ${this.#field}`))
    } catch (error) {
      this.#fail(error)
    }
  }

  async #write(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.#isStopped; at += PIECE_BYTES) {
      const takesMore = this.#parser.write(chunk.subarray(at, at + PIECE_BYTES))
      if (!takesMore) await Promise.race([once(this.#parser, 'drain'), this.#stopped.promise])
    }
  }

  #onPart(stream: Readable): void {
    this.#parts += 1
    if (this.#parts > PARTS_MAX) this.#fail(broken('has too many parts'))
    this.#headless.add(stream)
    stream.on('error', (error) => this.#fail(error))
    stream.once('header', (head: Head) => {
      this.#headless.delete(stream)
      this.#onHead(stream, head)
    })
  }

  #onHead(stream: Readable, head: Head): void {
    const name = nameOf(head)
    if (Object.values(head).flat().some(hasNul)) {
      this.#fail(broken('has U+0000 in the head of a part'))
    }
    if (name === this.#field && this.#stream === undefined) {
      this.#stream = stream
      this.#file.resolve({ stream, mediaType: head['content-type']?.[0]?.trim() })
      return
    }
    if (name === undefined) this.#fail(broken('has a part without a name'))
    if (name === this.#field) this.#fail(broken(`has the field ${name} twice`))
    stream.resume()
  }

  #fail(cause: unknown): void {
    const error = toRefusal(cause)
    this.#file.reject(error)
    this.#parsed.reject(error)
    this.#stream?.destroy(error)
    this.stop()
  }
}

function formBytesMax(limitMib: number): number {
  return limitMib * MIB + OVERHEAD_BYTES_MAX
}

function nameOf(head: Head): string | undefined {
  const disposition = head['content-disposition']?.[0] ?? ''
  const [, quoted, bare] = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? []
  return quoted ?? bare
}

function boundaryOf(contentType = ''): string {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim())
  const parameter = parameters.find((text) => /^boundary=/i.test(text)) ?? ''
  const boundary = /^boundary=(?:"([^"]{1,70})"|([^\s"]{1,70}))$/i.exec(parameter)
  if (type?.toLowerCase() !== 'multipart/form-data' || boundary === null) {
    throw broken('is not multipart/form-data with a boundary')
  }
  return boundary[1] ?? boundary[2] ?? ''
}

function broken(what: string): BadRequest {
  return new BadRequest(`The form ${what}.`, `フォームが不正です: ${what}`)
}

function cutOff(cause: unknown): BadRequest {
  return new BadRequest('The form breaks off before its end.', 'フォームが途中で終わっています。', {
    cause,
  })
}

function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : cutOff(error)
}

function tooLarge(limitMib: number): TooLarge {
  return new TooLarge(
    `The file is larger than the limit of ${limitMib} MiB.`,
    `ファイルが上限の ${limitMib} MiB を超えています。`,
  )
}

/**
 * One file out of a form (RFC 7578), read as it comes in: never more than a chunk of it is held. Strict:
 * what follows no boundary, ends without the last one, or has the field twice is refused, so that a
 * form that breaks off is never taken for a whole file.
 */
import type { IncomingMessage } from 'node:http'
import type { IncomingFile, Operation } from '../kernel/contract.ts'
import { BadRequest, TooLarge } from '../kernel/errors.ts'

const MIB = 1024 * 1024
/** All that is not the file itself: boundaries, heads, other fields. */
const OVERHEAD_BYTES_MAX = MIB
const HEAD_BYTES_MAX = 16 * 1024
const LINE = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const LAST = '--'

export function formFile(message: IncomingMessage, operation: Operation): IncomingFile {
  const { fileBody: field = '', bodyLimitMib = 1 } = operation
  return {
    async open() {
      const boundary = boundaryOf(message.headers['content-type'])
      if (Number(message.headers['content-length']) > bodyLimitMib * MIB + OVERHEAD_BYTES_MAX) {
        throw tooLarge(bodyLimitMib)
      }
      const form = new Form(message, boundary)
      const part = await form.nextPart()
      return openField(form, part, field, bodyLimitMib)
    },
  }
}

/** Passes over the fields before it. */
async function openField(
  form: Form,
  first: Head | undefined,
  field: string,
  limitMib: number,
): Promise<Awaited<ReturnType<IncomingFile['open']>>> {
  let part = first
  while (part !== undefined && part.name !== field) {
    await form.skipContent(OVERHEAD_BYTES_MAX)
    part = await form.nextPart()
  }
  if (part === undefined) throw broken(`has no field ${field}`)
  return { mediaType: part.mediaType, content: contentOf(form, field, limitMib) }
}

async function* contentOf(form: Form, field: string, limitMib: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of form.content()) {
    size += piece.length
    if (size > limitMib * MIB) throw tooLarge(limitMib)
    yield piece
  }
  for (;;) {
    const next = await form.nextPart()
    if (next === undefined) break
    if (next.name === field) throw broken(`has the field ${field} twice`)
    await form.skipContent(OVERHEAD_BYTES_MAX)
  }
  await form.drain()
}

interface Head {
  readonly name: string | undefined
  readonly mediaType: string | undefined
}

class Form {
  readonly #source: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  /** What has come and is not used yet. Begins with a line end, as if one stood before the form. */
  #rest: Buffer = LINE
  #isBegun = false

  constructor(source: AsyncIterable<Buffer>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** Undefined after the last one. The content of the part before has to be read by then. */
  async nextPart(): Promise<Head | undefined> {
    if (!this.#isBegun) {
      this.#isBegun = true
      await this.skipContent(OVERHEAD_BYTES_MAX)
    }
    const mark = await this.#take(LAST.length)
    if (mark === LAST) return undefined
    if (mark !== '\r\n') throw broken('has a boundary that is followed by something else')
    // A head may be empty: then the line end after the boundary belongs to its end.
    this.#rest = Buffer.concat([LINE, this.#rest])
    let head = ''
    for await (const piece of this.#until(HEAD_END)) {
      head += piece.toString('utf8')
      if (head.length > HEAD_BYTES_MAX) throw broken('has a part with too long a head')
    }
    return parseHead(head)
  }

  /** Up to the next boundary. */
  content(): AsyncGenerator<Buffer> {
    return this.#until(this.#delimiter)
  }

  async skipContent(most: number): Promise<void> {
    let size = 0
    for await (const piece of this.content()) {
      size += piece.length
      if (size > most) throw broken('has too much besides the file')
    }
  }

  /** What follows the form says nothing, but the connection is to go on after it. */
  async drain(): Promise<void> {
    let size = 0
    do {
      size += this.#rest.length
      if (size > OVERHEAD_BYTES_MAX) throw broken('has too much after its end')
      this.#rest = Buffer.alloc(0)
    } while (await this.#fill())
  }

  async *#until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(mark)
      const size = at >= 0 ? at : this.#certain(mark)
      const piece = this.#rest.subarray(0, size)
      this.#rest = this.#rest.subarray(at >= 0 ? at + mark.length : size)
      if (piece.length > 0) yield piece
      if (at >= 0) return
      if (!(await this.#fill())) throw brokenOff()
    }
  }

  /** How much is content for sure: a mark may have begun at the end. */
  #certain(mark: Buffer): number {
    const begun = this.#rest.indexOf(
      mark.subarray(0, 1),
      Math.max(0, this.#rest.length - mark.length + 1),
    )
    return begun < 0 ? this.#rest.length : begun
  }

  async #take(count: number): Promise<string> {
    while (this.#rest.length < count) if (!(await this.#fill())) throw brokenOff()
    const text = this.#rest.subarray(0, count).toString('latin1')
    this.#rest = this.#rest.subarray(count)
    return text
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next().catch((cause: unknown) => {
      throw brokenOff(cause)
    })
    if (done) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }
}

function parseHead(text: string): Head {
  const headers = new Map(
    text
      .split('\r\n')
      .map((line) => /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? [])
      .map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? []
  return { name: quoted ?? plain, mediaType: headers.get('content-type') }
}

function boundaryOf(contentType: string | undefined): string {
  const match =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
      contentType ?? '',
    )
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw broken('is not multipart/form-data with a boundary')
  return boundary
}

function broken(what: string): BadRequest {
  return new BadRequest(`The form ${what}.`, `フォームが不正です: ${what}`)
}

function brokenOff(cause?: unknown): BadRequest {
  return new BadRequest('The form breaks off before its end.', 'フォームが途中で終わっています。', {
    cause,
  })
}

function tooLarge(limitMib: number): TooLarge {
  return new TooLarge(
    `The file is larger than the limit of ${limitMib} MiB.`,
    `ファイルが上限の ${limitMib} MiB を超えています。`,
  )
}

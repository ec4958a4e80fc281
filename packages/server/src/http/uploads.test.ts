import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { formFile } from './uploads.ts'

const BOUNDARY = '----x'

/** As much of a request as the reader looks at. */
function requestOf(
  chunks: readonly Buffer[],
  contentType = `multipart/form-data; boundary=${BOUNDARY}`,
) {
  const headers = { 'content-type': contentType }
  return Object.assign(Readable.from(chunks), { headers }) as unknown as IncomingMessage
}

async function read(chunks: readonly Buffer[], contentType?: string, bodyLimitMib = 1) {
  const operation = { fileBody: 'attachment', bodyLimitMib } as Parameters<typeof formFile>[1]
  const { mediaType, content } = await formFile(requestOf(chunks, contentType), operation).open()
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return { mediaType, content: Buffer.concat(pieces) }
}

const part = (name: string, content: Buffer | string, more = '') =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const end = Buffer.from(`--${BOUNDARY}--\r\n`)
const form = (...parts: Buffer[]) => Buffer.concat([...parts, end])

/** Cut at these places, which may be anywhere. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const marks = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  )
  return [0, ...marks].map((start, index) => bytes.subarray(start, marks[index] ?? bytes.length))
}

describe('formFile', () => {
  test('gives back the content, however the form is cut into chunks', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      // What looks like a boundary and is none.
      fc
        .array(fc.constantFrom('\r\n', '--', BOUNDARY, '-', 'a'))
        .map((all) => Buffer.from(all.join('')))
        // The head ends with a line break, so that a boundary may follow it at once (RFC 2046, 5.1.1).
        .filter((bytes) => !`\r\n${bytes}`.includes(`\r\n--${BOUNDARY}`)),
    )
    await fc.assert(
      fc.asyncProperty(content, fc.array(fc.nat()), async (bytes, places) => {
        const whole = form(part('note', 'hello'), part('attachment', bytes), part('more', 'x'))
        assert.deepEqual((await read(cut(whole, places))).content, bytes)
      }),
    )
  })

  test('tells the media type that the part says', async () => {
    const { mediaType } = await read([
      form(part('attachment', 'x', '; filename="a.txt"\r\nContent-Type: text/plain')),
    ])
    assert.equal(mediaType, 'text/plain')
  })

  test('takes a preamble, an epilogue, a quoted boundary and a name without quotes', async () => {
    const text = `before\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name=attachment\r\n\r\nx\r\n--${BOUNDARY}--after`
    const type = `multipart/form-data; charset=utf-8; boundary="${BOUNDARY}"`
    assert.equal((await read([Buffer.from(text)], type)).content.toString(), 'x')
  })

  const whole = form(part('attachment', 'content'))
  const broken: [string, Buffer, RegExp, string?][] = [
    ['without the field', form(part('other', 'x')), /no field attachment/],
    ['with nothing in it', Buffer.alloc(0), /breaks off/],
    ['with U+0000 in a head', form(part('attachment', 'a', '; filename="a\0"')), /U\+0000/],
    ['with the field twice', form(part('attachment', 'a'), part('attachment', 'b')), /twice/],
    ['of another type', whole, /not multipart/, 'application/json'],
    ['without a boundary', whole, /not multipart/, 'multipart/form-data'],
    [
      'with a part that has no name',
      Buffer.from(`--${BOUNDARY}\r\na: b\r\n\r\nx\r\n--${BOUNDARY}--`),
      /without a name/,
    ],
    [
      'with a part that has no head',
      Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--`),
      /without a name/,
    ],
    ['with too many parts', form(...Array.from({ length: 101 }, () => part('x', ''))), /too many/],
    ['with a boundary that goes on', Buffer.from(`--${BOUNDARY}zz\r\n\r\n`), /breaks off/],
  ]
  for (const [what, bytes, message, type] of broken) {
    test(`refuses a form ${what}`, () => assert.rejects(read([bytes], type), message))
  }

  test('refuses a form that breaks off, wherever that is', async () => {
    const last = whole.length - '--\r\n'.length
    for (let size = 0; size <= last; size += 1) {
      await assert.rejects(read([whole.subarray(0, size)]), /breaks off/, String(size))
    }
  })

  test('reads in time that grows with its size, whatever its heads and parts are', async () => {
    const head = Buffer.from(`--${BOUNDARY}\r\nx:${' '.repeat(300_000)}b\nb\r\n\r\n`)
    const empty = Buffer.from(`--${BOUNDARY}\r\n\r\n`.repeat(200_000))
    for (const bytes of [head, empty]) {
      const begin = performance.now()
      await assert.rejects(read([Buffer.concat([bytes, end])]))
      // The square of its size would be minutes.
      assert.ok(performance.now() - begin < 5000)
    }
  })

  test('takes a file of the largest size and refuses one byte more', async () => {
    const mib = 1024 * 1024
    const { content } = await read([form(part('attachment', Buffer.alloc(mib)))])
    assert.equal(content.length, mib)
    await assert.rejects(read([form(part('attachment', Buffer.alloc(mib + 1)))]), /1 MiB/)
  })
})

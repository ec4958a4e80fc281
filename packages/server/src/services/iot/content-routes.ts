/**
 * Uploads and downloads of contents. A content is written as a blob of its own and becomes the file's in
 * one transaction with the end of its token, so that an upload that breaks off leaves what was there,
 * and of two at once the later one stays, whole (docs/iot.md). Nothing is deleted here, since
 * a commit that seems to have failed may have succeeded: the sweep job deletes the blobs that no file refers to.
 */
import { Readable } from 'node:stream'
import type { Handlers } from '../../kernel/contract.ts'
import { Forbidden, NotFound, Refusal, Unauthorized } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import { parseId } from '../../kernel/ids.ts'
import { type Random, randomHex } from '../../kernel/random.ts'
import { RawAnswer } from '../../kernel/raw-answer.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { AccountStore, type QuotaRoom, quotaRoom } from '../account/public.ts'
import type { Identify, TokenContext } from '../context.ts'
import type { downloadContract, uploadContract } from './content-contract.ts'
import type { Download, DownloadTokens } from './download-token.ts'
import { mimeTypeOf, parseRange, SNIFF_BYTES, type StoredFile } from './file-rules.ts'
import { FileStore } from './file-store.ts'
import { fileToWire } from './file-wire.ts'
import { findProject } from './project-store.ts'
import { hashOf } from './tokens.ts'
import { UploadStore, type UploadToken } from './upload-store.ts'

const KEY_DIGITS = 32

export function identifyUpload(database: Database): Identify<UploadToken> {
  return async ({ bearer, params }, now) => {
    const hash = hashOf(bearer ?? '')
    const token = await database.read((tx) => new UploadStore(tx).findToken(hash))
    const isHere = token?.projectId === params.project_id && token?.name === params.file_id
    if (token === undefined || !isHere || token.expiresAt <= now) {
      throw new Unauthorized(
        'The upload token is missing, wrong, used or expired.',
        'アップロードトークンがないか、誤り・使用済み・期限切れです。',
      )
    }
    return token
  }
}

export function uploadHandlers(
  blobs: Blobs,
  random: Random,
  sweep: () => void,
): Handlers<typeof uploadContract, TokenContext<UploadToken>> {
  return {
    async fileContentPut({ body }, { database, holder, now }) {
      const key = `iot-${randomHex(random, KEY_DIGITS)}`
      const room = await database.write(async (tx) => {
        // Before the first byte, so that a blob of an upload that breaks off is found.
        tx.afterCommit(sweep)
        await new UploadStore(tx).insertBlob(key, now)
        return roomFor(tx, holder, now)
      })
      const { mediaType, content } = await body.open()
      const head = new Head()
      const pieces = head.watch(upTo(room, content))
      const size = await blobs.write(key, Readable.from(pieces, BYTES))
      const mimeType = mimeTypeOf(head.bytes, mediaType)
      const stored = { blobKey: key, size, mimeType, updatedAt: now }
      try {
        return await database.write((tx) => {
          tx.afterCommit(sweep)
          return commit(tx, holder, stored)
        })
      } catch (error) {
        // An upload that is refused for having taken too long may have no row any more to be found by.
        if (error instanceof Refusal) {
          await database.write((tx) => new UploadStore(tx).insertBlob(key, now))
        }
        throw error
      }
    },
  }
}

const BYTES = { objectMode: false, highWaterMark: 64 * 1024 }

async function commit(
  tx: Tx,
  token: UploadToken,
  stored: Pick<StoredFile, 'blobKey' | 'size' | 'mimeType' | 'updatedAt'>,
) {
  const { hash, projectId, name } = token
  if (!(await new UploadStore(tx).useToken(hash))) {
    throw new Unauthorized(
      'The upload token was used meanwhile.',
      'アップロードトークンは既に使用されました。',
    )
  }
  const files = new FileStore(tx, projectId)
  // Another upload may have used what was left.
  const room = await roomFor(tx, token, stored.updatedAt)
  if (room !== undefined && stored.size > room.left) throw room.refusal
  await files.setContent(name, stored)
  const file = await files.find(name)
  const project = await findProject(tx, projectId)
  if (file === undefined || project === undefined) throw noFile(name)
  return fileToWire(file, project)
}

/** The bytes that the file may have: those of the content that is replaced are free again. */
async function roomFor(
  tx: Tx,
  { projectId, name }: UploadToken,
  now: Date,
): Promise<QuotaRoom | undefined> {
  const before = await new FileStore(tx, projectId).find(name)
  if (before === undefined) return undefined
  const { accountId, size } = before
  const { quotas } = await new AccountStore(tx).get(accountId)
  const room = await quotaRoom(tx, { accountId, quotas }, 'file_bytes', now)
  return room && { ...room, left: size + Math.max(0, room.left) }
}

/** Refuses while it is received, so that what goes beyond a quota is not on the disk meanwhile. */
async function* upTo(
  room: QuotaRoom | undefined,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (room !== undefined && size > room.left) throw room.refusal
    yield piece
  }
}

export function identifyDownload(tokens: DownloadTokens): Identify<Download> {
  return async ({ params }, now) => {
    const download = tokens.read(params.token ?? '')
    if (download === undefined) {
      throw new Unauthorized('This is no download address.', 'ダウンロード URL が不正です。')
    }
    if (download.expiresAt <= now) {
      throw new Forbidden(
        'The download address has expired; ask for a new one.',
        'ダウンロード URL の期限が切れています。再取得してください。',
      )
    }
    return download
  }
}

export function downloadHandlers(
  blobs: Blobs,
): Handlers<typeof downloadContract, TokenContext<Download>> {
  return {
    async fileContentGet(_input, { database, holder, header }) {
      const { projectId, name } = holder
      const id = parseId<'item'>(projectId)
      const file = id && (await database.read((tx) => new FileStore(tx, id as ItemId).find(name)))
      if (file?.blobKey === undefined) throw noFile(name)
      const etag = `"${file.blobKey}"`
      const isSame = (header('if-range') ?? etag) === etag
      const range = parseRange(isSame ? header('range') : undefined, file.size)
      const common = { ...HEADERS, etag, 'content-disposition': `attachment; filename="${name}"` }
      if (range === 'unsatisfiable') {
        const headers = { ...common, 'content-range': `bytes */${file.size}` }
        return new RawAnswer(416, file.mimeType, headers, '')
      }
      const content = await blobs.read(file.blobKey, range === 'whole' ? undefined : range)
      if (content === undefined) throw noFile(name)
      if (range === 'whole') {
        const headers = { ...common, 'content-length': String(file.size) }
        return new RawAnswer(200, file.mimeType, headers, content)
      }
      const headers = {
        ...common,
        'content-length': String(range.end - range.start + 1),
        'content-range': `bytes ${range.start}-${range.end}/${file.size}`,
      }
      return new RawAnswer(206, file.mimeType, headers, content)
    },
  }
}

/** What somebody uploaded is handed on as it is, and shown by no browser as if it were ours. */
const HEADERS = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, no-store',
}

/** Remembers the first bytes that pass. */
class Head {
  bytes: Buffer = Buffer.alloc(0)

  async *watch(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      if (this.bytes.length < SNIFF_BYTES) {
        const more = piece.subarray(0, SNIFF_BYTES - this.bytes.length)
        this.bytes = Buffer.concat([this.bytes, more])
      }
      yield piece
    }
  }
}

function noFile(name: string): NotFound {
  return new NotFound(`There is no file ${name}.`, `ファイル ${name} は存在しません。`)
}

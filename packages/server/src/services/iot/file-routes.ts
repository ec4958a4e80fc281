import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import { type Random, randomSecret } from '../../kernel/random.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { Context } from '../context.ts'
import type { DownloadTokens } from './download-token.ts'
import type { fileContract } from './file-contract.ts'
import {
  checkFileId,
  DOWNLOAD_SECONDS,
  type StoredFile,
  UPLOAD_TOKEN_SECONDS,
} from './file-rules.ts'
import { FileStore } from './file-store.ts'
import { downloadAddress, downloadToWire, fileToWire, uploadAddress } from './file-wire.ts'
import { getProject } from './projects.ts'
import { hashOf } from './tokens.ts'
import { UploadStore } from './upload-store.ts'

export function fileHandlers(
  random: Random,
  downloads: DownloadTokens,
  sweep: () => void,
): Handlers<typeof fileContract, Context> {
  return {
    async fileStat({ params }, context) {
      const name = checkFileId(params.file_id)
      const project = await getProject(params.project_id, context)
      const files = new FileStore(context.tx, project.id)
      await files.insert(name, project.accountId, context.now)
      return { IoTPlatform: fileToWire(await getFile(files, name), project) }
    },

    async fileUploadRequest({ params }, context) {
      const name = checkFileId(params.file_id)
      const project = await getProject(params.project_id, context)
      const file = await getFile(new FileStore(context.tx, project.id), name)
      const token = randomSecret(random)
      await new UploadStore(context.tx).insertToken({
        hash: hashOf(token),
        projectId: project.id,
        name,
        expiresAt: secondsAfter(context.now, UPLOAD_TOKEN_SECONDS),
      })
      context.tx.afterCommit(sweep)
      return { IoTPlatform: { url: uploadAddress(file, context.origin), token } }
    },

    async fileDownload({ params }, context) {
      const name = checkFileId(params.file_id)
      const project = await getProject(params.project_id, context)
      const file = await getFile(new FileStore(context.tx, project.id), name)
      if (file.blobKey === undefined) {
        throw new NotFound(
          `Nothing was uploaded to file ${name} yet.`,
          `ファイル ${name} はまだアップロードされていません。`,
        )
      }
      const expiresAt = secondsAfter(context.now, DOWNLOAD_SECONDS)
      const token = downloads.sign({ projectId: project.id, name, expiresAt })
      return { IoTPlatform: downloadToWire(file, project, downloadAddress(token, context.origin)) }
    },
  }
}

async function getFile(files: FileStore, name: string): Promise<StoredFile> {
  const file = await files.find(name)
  if (file === undefined) {
    throw new NotFound(`There is no file ${name}.`, `ファイル ${name} は存在しません。`)
  }
  return file
}

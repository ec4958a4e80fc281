/** `total` is undefined while it is not known. */
export type OnProgress = (done: number, total: number | undefined) => void

export interface UploadOrder {
  /** The address and the token that the upload request was answered with. */
  readonly url: string
  readonly token: string
  /** In Node, `openAsBlob` of `node:fs` gives one that stays on the disk. */
  readonly file: Blob
  readonly name: string
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
}

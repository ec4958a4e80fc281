/** A signed, expiring address instead of credentials: it names the file and is worth nothing for another. */
import type { EncryptionKeys } from '../../kernel/encryption-key.ts'
import { Signer } from '../../kernel/signer.ts'

export interface Download {
  readonly projectId: string
  readonly name: string
  readonly expiresAt: Date
}

export class DownloadTokens {
  readonly #signer: Signer

  constructor(keys: EncryptionKeys) {
    this.#signer = new Signer(keys, 'iot download')
  }

  sign({ projectId, name, expiresAt }: Download): string {
    const content = Buffer.from(`${projectId}/${name}/${expiresAt.getTime()}`).toString('base64url')
    return `${content}.${this.#signer.sign(content)}`
  }

  /** Undefined when it was not signed here. */
  read(token: string): Download | undefined {
    const [content = '', signature = ''] = token.split('.')
    if (!this.#signer.isSigned(content, signature)) return undefined
    const [projectId = '', name = '', expires] = Buffer.from(content, 'base64url')
      .toString()
      .split('/')
    return { projectId, name, expiresAt: new Date(Number(expires)) }
  }
}

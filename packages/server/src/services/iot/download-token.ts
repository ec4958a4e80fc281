/** A signed, expiring address instead of credentials: it names the file and is worth nothing for another. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kernel/constant-time.ts'

export interface Download {
  readonly projectId: string
  readonly name: string
  readonly expiresAt: Date
}

export class DownloadTokens {
  readonly #key: Buffer

  /** `masterKey` is the key-encryption key; what signs here is made from it and used for nothing else. */
  constructor(masterKey: Uint8Array) {
    this.#key = createHmac('sha256', masterKey).update('iot download').digest()
  }

  sign({ projectId, name, expiresAt }: Download): string {
    const content = Buffer.from(`${projectId}/${name}/${expiresAt.getTime()}`).toString('base64url')
    return `${content}.${this.#signature(content).toString('base64url')}`
  }

  /** Undefined when it was not signed here. */
  read(token: string): Download | undefined {
    const [content = '', signature = ''] = token.split('.')
    const given = Buffer.from(signature, 'base64url')
    if (!isSameSecret(given, this.#signature(content))) return undefined
    const [projectId = '', name = '', expires] = Buffer.from(content, 'base64url')
      .toString()
      .split('/')
    return { projectId, name, expiresAt: new Date(Number(expires)) }
  }

  #signature(content: string): Buffer {
    return createHmac('sha256', this.#key).update(content).digest()
  }
}

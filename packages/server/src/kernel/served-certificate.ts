/** The certificate that the listeners serve, which can be replaced while they run. */
import { X509Certificate } from 'node:crypto'

export interface Tls {
  /** PEM: the server's certificate first, then those that lead to the CA. */
  readonly cert: string
  readonly key: string
}

export class ServedCertificate {
  readonly #listeners = new Set<(tls: Tls) => void>()
  #tls: Tls
  #leaf: X509Certificate

  constructor(tls: Tls) {
    this.#tls = tls
    this.#leaf = new X509Certificate(tls.cert)
  }

  get tls(): Tls {
    return this.#tls
  }

  /** The server's own, of the chain. */
  get leaf(): X509Certificate {
    return this.#leaf
  }

  /** From the next connection on; connections that are open stay as they are. */
  replace(tls: Tls): void {
    if (tls.cert === this.#tls.cert && tls.key === this.#tls.key) return
    this.#leaf = new X509Certificate(tls.cert)
    this.#tls = tls
    for (const listener of this.#listeners) listener(tls)
  }

  /** Calls it with each new one, until what it answers with is called. */
  onReplace(listener: (tls: Tls) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

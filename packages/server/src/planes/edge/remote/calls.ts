/** Calls to the server by HTTPS, over connections that are kept, with the token of edges. */
import type { Agent } from 'node:https'
import { https } from '../../../kernel/node-http.ts'

const TIMEOUT_MS = 10_000
/** Some ten thousand sites with their certificates. */
const ANSWER_LIMIT_BYTES = 256 * 1024 * 1024

export interface CallOptions {
  /** `https://cloud.example.jp:8443`: where the operator API is. */
  readonly url: string
  readonly token: string
  /** Trusted instead of the usual ones, PEM. */
  readonly ca: string | undefined
}

export class ServerCalls {
  readonly #options: CallOptions
  readonly #agent: Agent

  constructor(options: CallOptions) {
    this.#options = options
    const { ca } = options
    this.#agent = new https.Agent({
      keepAlive: true,
      maxSockets: 4,
      ...(ca !== undefined && { ca }),
    })
  }

  /** Answers the parsed body; rejects when there is no answer of success in time. */
  async post(path: string, body: unknown): Promise<unknown> {
    const content = Buffer.from(JSON.stringify(body))
    const { status, text } = await this.#send(path, content)
    if (status < 200 || status > 299) {
      throw new Error(`The server answered ${status} to ${path}${reasonOf(text)}.`)
    }
    return text === '' ? undefined : JSON.parse(text)
  }

  #send(path: string, content: Buffer): Promise<{ status: number; text: string }> {
    const { url, token } = this.#options
    return new Promise((resolve, reject) => {
      const outgoing = https.request(`${url}/_kumoi/v1${path}`, {
        method: 'POST',
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': content.length,
        },
        // From the connection to the end of the answer: one that trickles in is none.
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      outgoing.once('error', reject)
      outgoing.once('response', (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > ANSWER_LIMIT_BYTES) answer.destroy(new Error('The answer is too long.'))
          else chunks.push(chunk)
        })
        answer.once('error', reject)
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        )
      })
      outgoing.end(content)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The sentence of a refusal, where the body has one. */
function reasonOf(text: string): string {
  try {
    const { error_msg: message } = Object(JSON.parse(text))
    return typeof message === 'string' ? `: ${message.slice(0, 300)}` : ''
  } catch {
    return ''
  }
}

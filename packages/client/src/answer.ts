/** What came back, read: the JSON or text of an answer, or the refusal. */
import type { Refusal } from './types.ts'

export async function readData(response: Response): Promise<unknown> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!isJson) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`The answer (${response.status}) is not whole: it is broken JSON.`, { cause })
  }
}

/** A proxy in between may answer in a form of its own; then its text is all there is to say. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const data = await readData(response)
  const body: Readonly<Record<string, unknown>> = typeof data === 'object' ? { ...data } : {}
  const wait = retryAfterSeconds(response)
  return {
    code: String(body.error_code ?? 'unknown'),
    status: response.status,
    message: String(body.error_msg ?? (data || response.statusText)),
    serial: String(body.serial ?? ''),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  }
}

/** The header may hold a date instead; it is judged by the server's own clock, which may be virtual. */
export function retryAfterSeconds({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const now = headers.get('date')
  const milliseconds = Date.parse(text) - (now === null ? Date.now() : Date.parse(now))
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000))
}

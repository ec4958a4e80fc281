/** The time of the server, which may be virtual: every answer has it in its head. */
import { apiPath, operatorPath } from './session.ts'

export async function serverNow(signal?: AbortSignal): Promise<number> {
  const path = operatorPath() === undefined ? `${apiPath()}` : `${operatorPath()}/health/live`
  const options = { cache: 'no-store', credentials: 'omit' } as const
  const { headers } = await fetch(path, { ...options, ...(signal !== undefined && { signal }) })
  const now = Date.parse(headers.get('date') ?? '')
  // The browser's own would be another time, and nobody would see that it is.
  if (Number.isNaN(now)) throw new Error('The server did not say what time it is.')
  return now
}

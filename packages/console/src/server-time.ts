/** The time of the server, which may be virtual: every answer has it in its head. */
import { apiPath, operatorPath } from './session.ts'

export async function serverNow(signal: AbortSignal): Promise<number> {
  const path = operatorPath() === undefined ? `${apiPath()}` : `${operatorPath()}/health/live`
  const response = await fetch(path, { signal, cache: 'no-store', credentials: 'omit' })
  const date = response.headers.get('date')
  return date === null ? Date.now() : Date.parse(date)
}

/** What the server says of a world file that it refuses: `world.yaml:12: accounts[0].code is missing.` */
import { RefusalError } from '@kumoi/client'

export interface WorldRefusal {
  readonly line: number
  readonly message: string
}

/** Undefined when it names no line of this file. */
export function refusalAt(error: unknown, file: string): WorldRefusal | undefined {
  if (!(error instanceof RefusalError)) return undefined
  const lines = error.refusal.message.split('\n')
  const rest = lines.find((one) => one.startsWith(`${file}:`))?.slice(file.length + 1)
  if (rest === undefined) return undefined
  const end = rest.indexOf(':')
  const line = Number(rest.slice(0, end))
  if (end < 1 || !Number.isInteger(line) || line < 1) return undefined
  return { line, message: rest.slice(end + 1).trim() }
}

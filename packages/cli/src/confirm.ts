/** A question before what cannot be taken back or ends sessions. Scripts, which have no terminal, are not asked. */
import type { CommandEntry } from './command-entry.ts'
import { EXIT, Failure } from './failure.ts'

/** Beside those that delete. */
const ASKED: ReadonlySet<string> = new Set([
  'deviceDetach',
  'deviceSecretCreate',
  'gatewayPowerOff',
  'gatewayReset',
  'gatewaySimRemove',
  'gatewaySwitchDisconnect',
  'keyRevoke',
  'keyRotate',
  'projectSimDisconnect',
  'simCarriersSet',
  'simDeactivate',
  'simImeiLock',
  'simReconnect',
  'snapshotLoad',
])

export function isAskedFor({ operation, verb }: CommandEntry): boolean {
  return ASKED.has(operation) || /^delete\b|-delete$/.test(verb)
}

/** Fails when the answer is not yes. */
export async function confirm(what: string, isYes: boolean): Promise<void> {
  if (isYes || !process.stdin.isTTY || !process.stderr.isTTY) return
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${what} Go on? [y/N] `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    lines.close()
  }
  throw new Failure('Nothing was done.', EXIT.failed)
}

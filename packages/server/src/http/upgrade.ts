/** Connections that change to another protocol: handed to whoever speaks it, or refused readably. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import { rawFailure } from './failure.ts'

export interface Upgrades {
  /** Resolves with what takes the connection over, or rejects with a refusal. */
  decide(request: IncomingMessage): Promise<(socket: Duplex, head: Buffer) => void>
  /** The server closes: connections that were taken over have to end, too. */
  close(): void
}

export function upgradeListener(upgrades: Upgrades, random: Random, log: Log) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const onError = () => socket.destroy()
    socket.on('error', onError)
    upgrades.decide(request).then(
      (takeOver) => {
        socket.off('error', onError)
        takeOver(socket, head)
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) log.error({ err: error }, 'upgrade failed')
        socket.end(rawFailure(error, random))
      },
    )
  }
}

/** One of several workers (workers.ts): says when it listens, and drains when the primary says so. */
import cluster from 'node:cluster'
import type { Addresses } from './addresses.ts'
import type { Running } from './server.ts'

export type ToWorker =
  | { readonly kind: 'drain' }
  | { readonly kind: 'collected'; readonly metrics: string }

export type FromWorker =
  | { readonly kind: 'ready'; readonly addresses: Addresses; readonly banner: string }
  | { readonly kind: 'collect' }

export const { isWorker } = cluster

/** What all workers have measured, this one included, as the primary adds it up. */
export function collectMetrics(): Promise<string> {
  send({ kind: 'collect' })
  return new Promise((resolve) => {
    const listen = (message: ToWorker) => {
      if (message.kind !== 'collected') return
      process.off('message', listen)
      resolve(message.metrics)
    }
    process.on('message', listen)
  })
}

export function serveAsWorker(
  running: Running,
  ready: { readonly addresses: Addresses; readonly banner: string },
): void {
  running.metrics.shareWithPrimary()
  // A terminal and some supervisors signal every process; when a worker ends is for the primary to say.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.once('disconnect', () => process.exit(0))
  process.on('message', (message: ToWorker) => {
    if (message.kind !== 'drain') return
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
  send({ kind: 'ready', ...ready })
}

function send(message: FromWorker): void {
  process.send?.(message)
}

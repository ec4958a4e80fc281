/** The thread of `ReaderThread`: answers one statement after the other, on a connection of its own. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Reply, ThreadQuery } from './reader-thread.ts'

const database = new DatabaseSync(workerData, { readOnly: true, timeout: 5000 })

parentPort?.on('message', (query: ThreadQuery) => {
  parentPort?.postMessage(replyTo(query))
})

function replyTo({ text, values }: ThreadQuery): Reply {
  try {
    return { rows: database.prepare(text).all(...values) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

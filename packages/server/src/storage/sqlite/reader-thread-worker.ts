/** The thread of `SqliteThread`: answers one statement after the other, on a connection of its own. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Question, Reply } from './reader-thread.ts'

const database = new DatabaseSync(workerData, { readOnly: true, timeout: 5000 })

parentPort?.on('message', (question: Question) => {
  parentPort?.postMessage(replyTo(question))
})

function replyTo({ text, values }: Question): Reply {
  try {
    return { rows: database.prepare(text).all(...values) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

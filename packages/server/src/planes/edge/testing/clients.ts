/**
 * Many clients at once, in a process of their own, since a process may have only so many sockets. Started with the port,
 * how many, the host and the path; sends `open` when all have asked, then how many got which answer.
 */
import { connect } from 'node:net'

if (import.meta.main) {
  const [port, count, host, path] = process.argv.slice(2)
  const answers: Record<string, number> = {}
  let left = Number(count)
  let unopened = left
  for (let client = Number(count); client > 0; client -= 1) {
    const socket = connect(Number(port), '127.0.0.1', () => {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      socket.write(head, () => {
        unopened -= 1
        if (unopened === 0) process.send?.('open')
      })
    })
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    socket.on('error', (error) => {
      text = error.message
    })
    socket.on('close', () => {
      const status = text.slice(9, 12)
      const answer = status === '200' ? `200 ${text.slice(text.indexOf('\r\n\r\n') + 4)}` : text
      answers[answer] = (answers[answer] ?? 0) + 1
      left -= 1
      if (left === 0) process.send?.(answers, () => process.disconnect())
    })
  }
}

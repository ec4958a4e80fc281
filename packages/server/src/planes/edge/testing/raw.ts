/** Bytes to an edge as no library would send them. */
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** What comes back until the edge closes the connection. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk
    })
    // A reset after the answer is a way to close, too.
    socket.once('error', () => undefined).once('close', () => resolve(answer))
  })
}

/** Whose certificate a client of this name gets; rejects when it gets none. */
export function subjectAt(port: number, servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
    socket.once('error', reject).once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
  })
}

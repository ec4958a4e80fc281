/** From nothing to a socket on which the server waits for statements. */
import { once } from 'node:events'
import { connect as connectSocket, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { after } from '../../kernel/clock.ts'
import type { Address } from './address.ts'
import { ConnectionLost, readError } from './error.ts'
import { Frames } from './frames.ts'
import { md5Password, SCRAM, Scram } from './scram.ts'

const TIMEOUT_MS = 5000
const KEEP_ALIVE_MS = 60_000
const PROTOCOL = 196_608
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const YES = 0x53
const TYPE = { authentication: 0x52, error: 0x45, ready: 0x5a }
const PASSWORD = 0x70
/** What the server asks for, in the message about authentication. */
const ASKS = { nothing: 0, password: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 }

export async function login(address: Address): Promise<Socket> {
  const plain = connectSocket(address.target)
  const impatience = after(TIMEOUT_MS, () =>
    plain.destroy(new ConnectionLost('The database does not answer in time')),
  )
  try {
    await once(plain, 'connect')
    plain.setNoDelay(true)
    plain.setKeepAlive(true, KEEP_ALIVE_MS)
    const socket = await secure(plain, address)
    await start(socket, address)
    return socket
  } catch (error) {
    plain.destroy()
    throw error
  } finally {
    impatience.cancel()
  }
}

async function secure(plain: Socket, { tls, target }: Address): Promise<Socket> {
  if (tls === 'off') return plain
  plain.write(TLS_REQUEST)
  const [answer]: Buffer[] = await once(plain, 'data')
  if (answer?.[0] !== YES) {
    if (tls === 'if-offered') return plain
    throw new Error('The database does not offer TLS')
  }
  const name = 'host' in target && isIP(target.host) === 0 ? { servername: target.host } : {}
  const secured = connectTls({ socket: plain, rejectUnauthorized: tls === 'checked', ...name })
  await once(secured, 'secureConnect')
  return secured
}

function start(socket: Socket, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      socket.off('data', read).off('error', settle).off('close', closed)
      if (error === undefined) resolve()
      else reject(error)
    }
    const scram = new Scram(address.password)
    const frames = new Frames((type, bytes, at, end) => {
      try {
        if (type === TYPE.error) settle(readError(bytes, at))
        else if (type === TYPE.ready) settle()
        else if (type === TYPE.authentication) {
          const reply = authenticate(address, scram, bytes.subarray(at, end))
          if (reply !== undefined) socket.write(message(PASSWORD, reply))
        }
      } catch (error) {
        settle(error)
      }
    })
    const read = (piece: Buffer) => frames.push(piece)
    const closed = () => settle(new ConnectionLost('The database has closed the connection'))
    socket.on('data', read).on('error', settle).on('close', closed)
    socket.write(startup(address))
  })
}

/** The content of the reply, where one is wanted. */
function authenticate(
  { user, password }: Address,
  scram: Scram,
  content: Buffer,
): Buffer | undefined {
  const asked = content.readInt32BE(0)
  const rest = content.subarray(4)
  if (asked === ASKS.nothing) return undefined
  if (asked === ASKS.password) return Buffer.from(`${password}\0`)
  if (asked === ASKS.md5) return Buffer.from(`${md5Password(user, password, rest)}\0`)
  if (asked === ASKS.sasl && rest.toString().split('\0').includes(SCRAM)) {
    const first = Buffer.from(scram.first())
    return Buffer.concat([Buffer.from(`${SCRAM}\0`), int32(first.length), first])
  }
  if (asked === ASKS.saslContinue) return Buffer.from(scram.final(rest.toString()))
  if (asked === ASKS.saslFinal) {
    scram.check(rest.toString())
    return undefined
  }
  throw new Error(`The database asks for a login of a kind that is not known here (${asked})`)
}

function startup({ user, database, parameters }: Address): Buffer {
  const pairs = {
    application_name: 'kumoi',
    client_encoding: 'UTF8',
    ...parameters,
    user,
    database,
  }
  const texts = Object.entries(pairs).flat()
  const content = Buffer.from(`${texts.map((text) => `${text}\0`).join('')}\0`)
  return Buffer.concat([int32(content.length + 8), int32(PROTOCOL), content])
}

function message(type: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type]), int32(content.length + 4), content])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

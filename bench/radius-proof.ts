/**
 * Accounting under fire: `node_modules/.bin/node bench/radius-proof.ts`. Sessions are accounted through FreeRADIUS while
 * server and FreeRADIUS are killed one after the other; then all is sent again in another order. Every total must be exact.
 *
 *   --engine E      sqlite or postgres
 *   --sims N        200 without it
 *   --interims N    of each SIM, 100 without it
 *   --kills N       of each of the two, 5 without it
 *   --replays N     packets that are sent again in any order, 60000 without it
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { imsiOf, openRadiusCloud, PGW_1 } from '../acceptance/radius-cloud.ts'
import { type Accounting, AccountingLoad, STATUS } from '../acceptance/radius-load.ts'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    sims: { type: 'string', default: '200' },
    interims: { type: 'string', default: '100' },
    kills: { type: 'string', default: '5' },
    replays: { type: 'string', default: '60000' },
  },
})
const [sims, interims] = [Number(values.sims), Number(values.interims)]
const numbers = Array.from({ length: sims }, (_, nth) => nth)

function packetOf(nth: number, step: number): Accounting {
  return {
    status: step === 0 ? STATUS.start : step > interims ? STATUS.stop : STATUS.interim,
    ...{ sessionId: `s-${nth}`, imsi: imsiOf(nth) },
    ...{ uplinkBytes: step * 1000, downlinkBytes: step * 7000 },
  }
}

const endings: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => endings.unshift(end) }
const postgres = values.engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
if (postgres !== undefined) ending.after(() => postgres.stop())
const flags = postgres === undefined ? [] : ['--database', await newDatabaseUrl(postgres.url)]
let isRight = true

try {
  const cloud = await openRadiusCloud(ending, flags, { sims, clock: [], canRestart: true })
  const { freeradius } = cloud
  const load = new AccountingLoad({
    ...{ from: PGW_1.address, secret: PGW_1.secret, port: freeradius.acctPort, sockets: 2 },
  })
  await load.open()
  ending.after(() => load.close())
  const check = async (when: string) => {
    const wanted = (interims + 1) * 1000
    const wrong: string[] = []
    for (const nth of numbers) {
      const { traffic_bytes_of_current_month: bytes, session_status: state } =
        await cloud.status(nth)
      const found = `${bytes.uplink_bytes} ${bytes.downlink_bytes} ${state}`
      if (found !== `${wanted} ${wanted * 7} DOWN`) wrong.push(`SIM ${nth}: ${found}`)
    }
    isRight &&= wrong.length === 0
    console.log(`${when}: ${sims - wrong.length} of ${sims} SIMs are exact. ${wrong[0] ?? ''}`)
  }

  const began = performance.now()
  let answered = 0
  const device = async (nth: number) => {
    for (let step = 0; step <= interims + 1; step += 1) {
      await load.send(packetOf(nth, step))
      answered += 1
    }
  }
  const devices = Promise.all(numbers.map(device))
  const all = sims * (interims + 2)
  for (let kill = 1; kill <= Number(values.kills); kill += 1) {
    const due = (all * kill) / (Number(values.kills) + 1)
    while (answered < due) await sleep(10)
    await cloud.restart()
    await sleep(300)
    await freeradius.stop('SIGKILL')
    await freeradius.start()
  }
  await devices
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${values.engine}: ${answered} packets were answered in ${seconds.toFixed(1)} s, ${load.repeated} were sent again; ` +
      `server and FreeRADIUS were killed ${values.kills} times each`,
  )
  await check('After the kills')

  let left = Number(values.replays)
  const replay = async () => {
    while (left > 0) {
      left -= 1
      const nth = Math.floor(Math.random() * sims)
      await load.send(packetOf(nth, Math.floor(Math.random() * (interims + 2))))
    }
  }
  await Promise.all(Array.from({ length: 256 }, replay))
  await check(`After ${values.replays} packets in any order`)
} finally {
  for (const end of endings) await end()
}
process.exit(isRight ? 0 : 1)

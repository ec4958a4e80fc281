/**
 * How long a cloud inside a test takes from `startCloud` to its first answer: `node_modules/.bin/node bench/start-cloud.ts`.
 * The first of a process also pays for loading the server; tests pay that once a file. On a machine that is
 * busy with other things, the CPU time says more than the clock. With the `testing.js` of a built package as an argument
 * it measures that one, and prints JSON.
 */
const ROUNDS = 20
const packed = process.argv[2]

const begin = performance.now()
const { startCloud } = await import(packed ?? '../packages/server/src/start/testing.ts')
const loaded = performance.now() - begin

const times: number[] = []
const cpu: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const start = performance.now()
  const used = process.cpuUsage()
  await using cloud = await startCloud()
  const answer = await cloud.fetch('/cloud/zone/is1a/api/cloud/1.1/auth-status', {
    headers: { authorization: `Basic ${Buffer.from('demo-token:demo-secret').toString('base64')}` },
  })
  if (answer.status !== 200) throw new Error(`The first answer was ${answer.status}.`)
  times.push(performance.now() - start)
  const { user, system } = process.cpuUsage(used)
  cpu.push((user + system) / 1000)
}

if (packed !== undefined) {
  console.log(JSON.stringify({ loaded, times }))
  process.exit(0)
}

const [first = 0, ...rest] = times
const sorted = rest.toSorted((a, b) => a - b)
const sortedCpu = cpu.slice(1).toSorted((a, b) => a - b)
const shown = (milliseconds: number | undefined) => `${(milliseconds ?? 0).toFixed(0)} ms`
const middle = Math.floor(rest.length / 2)
const onThreads = 'of CPU time on all threads'
console.log(`loading the modules: ${shown(loaded)}`)
console.log(`first start to first answer: ${shown(first)}, ${shown(cpu[0])} ${onThreads}`)
console.log(
  `later starts, median of ${rest.length}: ${shown(sorted[middle])}, ${shown(sortedCpu[middle])} ${onThreads}`,
)
console.log(`later starts, slowest: ${shown(sorted.at(-1))}`)

/**
 * What our server is compared with: a bare `node:http` server that reads the request and answers the same bytes.
 * Started as a process of its own, with the answers in a file as its argument.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Load } from './load.ts'
import { type Measurement, type Started, start } from './processes.ts'
import { createSim, type ServerProcess, send } from './server.ts'

interface Sample {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface BareServer extends Started {
  /** Of the SIM whose reading it answers with. */
  readonly id: string
  /** The same load as ours has. */
  measurement(load: Load): Measurement
}

/** Takes the answers from our server: one reading and one creation of a SIM. */
export async function startBare(server: ServerProcess, card: number): Promise<BareServer> {
  const { id, answer } = await createSim(server.port, card)
  const samples = { GET: await send(server.port, 'GET', `/commonserviceitem/${id}`), POST: answer }
  const file = join(server.folder, 'samples.json')
  writeFileSync(file, JSON.stringify(samples))
  const until = /Ready\. (\d+)\n/
  const started = await start({ args: [import.meta.filename, file], until })
  const port = Number(until.exec(started.output)?.[1])
  return {
    ...started,
    id,
    measurement: (load) => ({ pid: started.pid, load: () => ({ ...load, port }) }),
  }
}

function serve(samples: Readonly<Record<string, Sample>>): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sample = samples[request.method ?? 'GET']
      // Node adds these itself.
      const { date: _d, connection: _c, 'keep-alive': _k, ...headers } = sample?.headers ?? {}
      response.writeHead(sample?.status ?? 500, headers)
      response.end(sample?.text)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    process.stdout.write(`Ready. ${port}\n`)
  })
}

if (import.meta.main) serve(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))

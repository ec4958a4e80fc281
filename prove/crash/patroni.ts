/** Two PostgreSQL servers under Patroni with etcd, from Debian's packages, on this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackages } from '../../acceptance/debian.ts'
import { freePort, serverUser } from '../../packages/server/src/testing/postgres-server.ts'

/** How soon another one takes over; Patroni allows no less. */
const DYNAMIC = { ttl: 20, loop_wait: 1, retry_timeout: 3, synchronous_mode: true }
const PATIENCE_MS = 120_000

interface Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly folder: string
  process: ChildProcess
}

export class Patroni {
  readonly #nodes: Node[] = []
  #etcd: ChildProcess | undefined
  #etcdPort = 0

  /** Undefined where it is not installed and cannot be. `folder` must be open to the user of PostgreSQL. */
  static async start(folder: string): Promise<Patroni | undefined> {
    if (!hasPrograms()) installPackages('patroni', 'etcd-server', 'postgresql')
    if (!hasPrograms()) return undefined
    const patroni = new Patroni()
    own(folder)
    await patroni.#startEtcd(folder)
    for (const name of ['one', 'two']) {
      const [port, restPort] = [await freePort(), await freePort()]
      const place = join(folder, name)
      own(place)
      writeFileSync(
        join(place, 'patroni.json'),
        settingsOf(name, place, port, restPort, patroni.#etcdPort),
      )
      const node = { name, port, restPort, folder: place }
      patroni.#nodes.push({
        ...node,
        process: run('patroni', [join(place, 'patroni.json')], place),
      })
      // The first one makes the cluster.
      await patroni.#until('a leader', async () => (await patroni.#rolesOf()).includes('leader'))
    }
    await patroni.untilWhole()
    return patroni
  }

  /** With both hosts: the servers find the one that takes writes. */
  get url(): string {
    const hosts = this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
    return `postgres://postgres@${hosts}/postgres`
  }

  /** A leader and a synchronous standby: what is committed is on both. */
  async untilWhole(): Promise<void> {
    await this.#until('a leader with a synchronous standby', async () => {
      const roles = await this.#rolesOf()
      return roles.includes('leader') && roles.includes('sync_standby')
    })
  }

  /**
   * SIGKILL of PostgreSQL and of its Patroni, as when a machine is lost. Resolves when another one leads: after the
   * time that a leader may be silent for, or, with `atOnce`, as if it were over.
   */
  async loseLeader(atOnce: boolean): Promise<{ comeBack(): void }> {
    const lost = await this.#leader()
    const pid = Number(
      readFileSync(join(lost.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    lost.process.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    if (atOnce) await this.#forgetLeader()
    await this.#until('another leader', async () => {
      const roles = await this.#rolesOf()
      return this.#nodes.some((node, index) => node !== lost && roles[index] === 'leader')
    })
    return {
      comeBack: () => {
        lost.process = run('patroni', [join(lost.folder, 'patroni.json')], lost.folder)
      },
    }
  }

  stop(): void {
    for (const { process: child, folder } of this.#nodes) {
      child.kill('SIGKILL')
      const file = join(folder, 'data', 'postmaster.pid')
      const [pid] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
      try {
        if (pid !== undefined) process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It has ended already.
      }
    }
    this.#etcd?.kill('SIGKILL')
  }

  async #startEtcd(folder: string): Promise<void> {
    const [client, peer] = [await freePort(), await freePort()]
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
    const flags = [
      ...['--data-dir', join(folder, 'etcd'), '--name', 'one'],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `one=${peerUrl}`],
    ]
    this.#etcd = run('etcd', flags, folder)
    this.#etcdPort = client
    await this.#until('etcd', async () => (await fetch(`${clientUrl}/health`)).ok)
  }

  async #forgetLeader(): Promise<void> {
    const key = Buffer.from('/service/kumoi/leader').toString('base64')
    const address = `http://127.0.0.1:${this.#etcdPort}/v3/kv/deleterange`
    await fetch(address, { method: 'POST', body: JSON.stringify({ key }) })
  }

  async #leader(): Promise<Node> {
    const roles = await this.#rolesOf()
    const leader = this.#nodes[roles.indexOf('leader')]
    if (leader === undefined) throw new Error('There is no leader.')
    return leader
  }

  /** As any Patroni that answers says, of those that run. */
  async #rolesOf(): Promise<(string | undefined)[]> {
    for (const { restPort } of this.#nodes) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(2000),
      }).catch(() => undefined)
      if (!answer?.ok) continue
      // The cast: this is what Patroni's REST API has.
      const { members } = (await answer.json()) as { members: Member[] }
      return this.#nodes.map(({ name }) => {
        const member = members.find((one) => one.name === name)
        return member?.state === 'running' || member?.state === 'streaming'
          ? member.role
          : undefined
      })
    }
    return []
  }

  async #until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS; waited += 200) {
      if (await isTrue().catch(() => false)) return
      await sleep(200)
    }
    throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}.`)
  }
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

function hasPrograms(): boolean {
  return existsSync('/usr/bin/patroni') && existsSync('/usr/bin/etcd') && binaries() !== undefined
}

function binaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const [latest] = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return latest === undefined ? undefined : join(root, latest, 'bin')
}

/** PostgreSQL refuses to run as root. */
function own(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const user = serverUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
}

function run(program: string, args: readonly string[], folder: string): ChildProcess {
  const options = { ...serverUser(), cwd: folder, stdio: 'ignore' } as const
  const child = spawn(`/usr/bin/${program}`, args, options)
  child.unref()
  return child
}

/** JSON, which is YAML, too. */
function settingsOf(
  name: string,
  folder: string,
  port: number,
  restPort: number,
  etcd: number,
): string {
  const rest = `127.0.0.1:${restPort}`
  return JSON.stringify({
    ...{ scope: 'kumoi', name, restapi: { listen: rest, connect_address: rest } },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: { dcs: DYNAMIC, initdb: [{ encoding: 'UTF8' }, { auth: 'trust' }] },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` },
      ...{ data_dir: join(folder, 'data'), bin_dir: binaries(), pgpass: join(folder, 'pgpass') },
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'postgres' },
      },
      ...{ use_pg_rewind: true, remove_data_directory_on_diverged_timelines: true },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      parameters: { unix_socket_directories: folder, wal_log_hints: 'on', max_connections: 50 },
    },
  })
}

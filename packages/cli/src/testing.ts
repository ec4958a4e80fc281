/**
 * A cloud inside a test, by the name of the published package: `kumoi/testing`. The server runs in the process
 * of the test; all that is offered on top goes through the client and the operator API, so whatever a test can
 * do here it can do to a server elsewhere. Only the clock is moved directly.
 */
import { type Client, type ClientOptions, createClient } from '@kumoi/client'
import { startCloud as startServer } from '@kumoi/server/testing'
import { type OpenTarget, openTarget } from './testing-target.ts'
import type {
  ApiKey,
  Device,
  Faults,
  Hooks,
  RunningCloud,
  StartOptions,
  TestEnd,
} from './testing-types.ts'
import { clockHint, waitsOf } from './testing-waits.ts'

export type * from './testing-types.ts'

/** What a device has when a test does not care. */
const IMEI = '490154203237518'

export async function startCloud(options: StartOptions = {}): Promise<RunningCloud> {
  const { key, carrier, ...server } = await startServer(options)
  const { clock, operatorToken } = server
  const clientWith = (more: Partial<ClientOptions>): Client =>
    createClient({
      ...{ baseUrl: server.url, operatorToken, fetch: server.fetch },
      // A test sees each answer, and waits for none.
      retry: { tries: 1 },
      ...more,
    })
  const operator = clientWith({})
  const { orThrow } = operator
  const targets: OpenTarget[] = []
  let client: Client | undefined
  const stop = async () => {
    await server.stop()
    for (const { close } of targets.splice(0)) await close()
  }
  return {
    ...server,
    get client() {
      client ??= clientWith(keyOf(key))
      return client
    },
    clientFor: (given, more) => clientWith({ ...given, ...more }),
    faults: faultsOf(orThrow),
    device: (iccid) => deviceOf(orThrow, iccid, carrier),
    ...waitsOf(operator),
    async webhookTarget(targetOptions = {}) {
      const hint = () => clockHint(orThrow)
      const opened = await openTarget(targetOptions, { now: clock.now, hint })
      targets.push(opened)
      return opened.target
    },
    ...snapshotsOf(orThrow),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function keyOf(key: ApiKey | undefined): ApiKey {
  if (key !== undefined) return key
  throw new Error(
    'The world has no key to sign in with: declare one with its secret below accounts, or use clientFor().',
  )
}

function faultsOf(orThrow: Client['orThrow']): Faults {
  return {
    add: async (body) => (await orThrow.faultAdd({ body })).fault,
    list: async () => (await orThrow.faultList()).faults,
    async clear() {
      await orThrow.faultClear()
    },
  }
}

function deviceOf(orThrow: Client['orThrow'], iccid: string, carrier: string): Device {
  const params = { iccid }
  return {
    attach: (device) => orThrow.deviceAttach({ params, body: { imei: IMEI, carrier, ...device } }),
    async detach() {
      await orThrow.deviceDetach({ params })
    },
    async traffic({ uplink = 0, downlink = 0 }) {
      await orThrow.deviceTraffic({
        params,
        body: { uplink_bytes: uplink, downlink_bytes: downlink },
      })
    },
    send: async (body) => (await orThrow.operatorMessageSend({ params, body })).message,
  }
}

function snapshotsOf(orThrow: Client['orThrow']): Pick<RunningCloud, 'snapshot' | 'restore'> {
  let saved = 0
  return {
    async snapshot() {
      saved += 1
      const name = `test-${saved}`
      await orThrow.snapshotSave({ body: { name } })
      return name
    },
    async restore(name) {
      await orThrow.snapshotLoad({ params: { name } })
    },
  }
}

/** For runners that give something to a test: node:test and Vitest. */
export async function cloudFor(test: TestEnd, options: StartOptions = {}): Promise<RunningCloud> {
  const cloud = await startCloud(options)
  if ('after' in test) test.after(cloud.stop)
  else test.onTestFinished(cloud.stop)
  return cloud
}

/** For every runner with hooks, Jest among them: `cloud.current` is another one in each test. */
export function cloudForEach(
  { beforeEach, afterEach }: Hooks,
  options: StartOptions = {},
): { readonly current: RunningCloud } {
  let running: RunningCloud | undefined
  beforeEach(async () => {
    running = await startCloud(options)
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
  })
  return {
    get current() {
      if (running === undefined) throw new Error('There is a cloud only while a test runs.')
      return running
    },
  }
}

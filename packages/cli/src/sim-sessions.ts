/** Whether each of the SIMs in a list has a session, and its address: the interface has them elsewhere. */
import type { Client } from '@kumoi/client'
import type { Settings } from './settings.ts'

interface Sim {
  readonly ID: string
}

interface SessionOf {
  readonly Session: string
  readonly Address: string
}

const AT_ONCE = 10

export async function withSessions(
  client: Client,
  { operatorToken }: Settings,
  sims: readonly Sim[],
): Promise<(Sim & SessionOf)[]> {
  // The operator asks once for all; others ask for one after the other.
  const find = operatorToken === undefined ? byStatus(client) : await bySessions(client, sims)
  const found: (Sim & SessionOf)[] = []
  for (let from = 0; from < sims.length; from += AT_ONCE) {
    const some = sims.slice(from, from + AT_ONCE)
    found.push(...(await Promise.all(some.map(async (sim) => ({ ...sim, ...(await find(sim)) })))))
  }
  return found
}

function byStatus(client: Client) {
  return async ({ ID }: Sim): Promise<SessionOf> => {
    const { sim } = await client.orThrow.simStatus({ params: { sim_id: ID } })
    return { Session: sim.session_status ?? '', Address: sim.ip ?? '' }
  }
}

async function bySessions(client: Client, sims: readonly Sim[]) {
  const ids = sims.map(({ ID }) => ID)
  const addresses = new Map<string, string>()
  for await (const one of client.each.sessionList({ search: { Filter: { resource_id: ids } } })) {
    addresses.set(one.resource_id, one.ip ?? '')
  }
  return async ({ ID }: Sim): Promise<SessionOf> => ({
    Session: addresses.has(ID) ? 'UP' : 'DOWN',
    Address: addresses.get(ID) ?? '',
  })
}

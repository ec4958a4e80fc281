import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, Conflict } from '../../kernel/errors.ts'
import { formatPath } from '../../kernel/schema.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Tx } from '../../storage/database.ts'
import type { OperatorContext } from '../context.ts'
import { type Carriers, countElementSessions, type Networks, Sessions } from '../sim/public.ts'
import type { networkElementContract } from './contract.ts'
import { CountStore } from './count-store.ts'
import { declareElement } from './declare.ts'
import { NO_COUNTS } from './rules.ts'
import { ElementStore, getElement, listElements } from './store.ts'
import { elementToWire } from './wire.ts'

export function networkElementHandlers(
  box: SecretBox,
  carriers: Carriers,
  networks: Networks,
): Handlers<typeof networkElementContract, OperatorContext> {
  return {
    networkElementList: (_input, { database }) =>
      database.read(async (tx) => {
        const counts = await new CountStore(tx).all()
        const sessions = await countElementSessions(tx)
        return {
          network_elements: (await listElements(tx)).map((element) => {
            const { name } = element
            return elementToWire(element, counts.get(name) ?? NO_COUNTS, sessions.get(name) ?? 0)
          }),
        }
      }),

    networkElementRead: ({ params }, { database }) => database.read((tx) => read(tx, params.name)),

    networkElementPut: ({ params: { name }, body }, { database }) =>
      database.write(async (tx) => {
        const { address, secret, carriers: table, coa_port: coaPort } = body
        const declared = { name, address, secret, carriers: table, coaPort }
        const { problem, ...rest } = await declareElement(
          tx,
          new ElementStore(tx, box),
          carriers,
          declared,
        )
        if (problem === undefined) return read(tx, name)
        const at = formatPath(problem.path) || name
        const [en, ja] = [`${at} ${problem.en}`, `${at} ${problem.ja}`]
        throw 'isTaken' in rest && rest.isTaken ? new Conflict(en, ja) : new BadRequest(en, ja)
      }),

    networkElementDelete: ({ params }, { database, now }) =>
      database.write(async (tx) => {
        const { name } = await getElement(tx, params.name)
        await new Sessions(tx, networks).endOfElement(name, now, 'element_deleted', now)
        await new CountStore(tx).delete(name)
        await new ElementStore(tx, box).delete(name)
        return {}
      }),
  }
}

async function read(tx: Tx, name: string) {
  const element = await getElement(tx, name)
  const counts = await new CountStore(tx).of(name)
  const sessions = (await countElementSessions(tx)).get(name) ?? 0
  return { network_element: elementToWire(element, counts, sessions) }
}

/** Stores an element as the operator API or a world declares it. */
import type { Tx } from '../../storage/database.ts'
import type { Carriers } from '../sim/public.ts'
import {
  COA_PORT_DEFAULT,
  ELEMENTS_MAX,
  elementProblem,
  type NetworkElement,
  type Problem,
} from './rules.ts'
import { countElements, type ElementStore, findElements } from './store.ts'

/** What is left out of an element that is known stays. */
export interface Declared {
  readonly name: string
  readonly address: string
  readonly secret: string | undefined
  readonly carriers: NetworkElement['carriers'] | undefined
  readonly coaPort: number | undefined
}

export interface Declaration {
  readonly change: 'created' | 'updated' | 'unchanged'
  readonly problem?: undefined
}

/** It is another's address, or one too many: not wrong by itself. */
export interface Undeclarable {
  readonly problem: Problem
  readonly isTaken: boolean
}

export async function declareElement(
  tx: Tx,
  store: ElementStore,
  carriers: Carriers,
  declared: Declared,
): Promise<Declaration | Undeclarable> {
  const { name, address } = declared
  const stored = await store.find(name)
  const secret = declared.secret ?? stored?.secret
  if (secret === undefined) {
    const problem = { path: ['secret'], en: 'is missing.', ja: 'がありません。' }
    return { problem, isTaken: false }
  }
  const element: NetworkElement = {
    ...{ name, address },
    carriers: declared.carriers ?? stored?.carriers ?? {},
    coaPort: declared.coaPort ?? stored?.coaPort ?? COA_PORT_DEFAULT,
    secret,
  }
  const names = (await carriers.list(tx)).map((carrier) => carrier.name)
  const problem = elementProblem(element, names)
  if (problem !== undefined) return { problem, isTaken: false }
  const [other] = (await findElements(tx, [], [address])).filter((one) => one.name !== name)
  if (other !== undefined) {
    const en = `is the address of ${other.name}.`
    const taken = { path: ['address'], en, ja: `は ${other.name} のアドレスです。` }
    return { problem: taken, isTaken: true }
  }
  if (stored === undefined && (await countElements(tx)) >= ELEMENTS_MAX) {
    const en = `is one too many: there may be ${ELEMENTS_MAX}.`
    return { problem: { path: [], en, ja: `は上限 ${ELEMENTS_MAX} 件を超えます。` }, isTaken: true }
  }
  if (JSON.stringify(stored) === JSON.stringify(element)) return { change: 'unchanged' }
  await store.put(element)
  return { change: stored === undefined ? 'created' : 'updated' }
}

import { OPERATOR } from '../families.ts'
import { byToken, type Module } from '../module.ts'
import type { Accounting } from '../sim/public.ts'
import type { Parts } from './authorize.ts'
import { radiusContract } from './contract.ts'
import { identifyNetwork, radiusHandlers } from './routes.ts'

export function radiusModule(
  parts: Parts & { readonly accounting: Accounting; readonly token: string },
): Module {
  const { accounting, token } = parts
  const handlers = radiusHandlers(accounting, parts)
  return { operations: [byToken(OPERATOR, radiusContract, handlers, identifyNetwork(token))] }
}

import type { Random } from '../../kernel/random.ts'
import { byOperator, type Module } from '../module.ts'
import { mailContract } from './contract.ts'
import type { Mailer } from './mailer.ts'
import { mailHandlers } from './routes.ts'

export function mailModule(mailer: Mailer | undefined, random: Random): Module {
  return { operations: [byOperator(mailContract, mailHandlers(mailer, random))] }
}

import { byOperator, type Module } from '../module.ts'
import { operatorContract } from './contract.ts'
import { type OperatorParts, operatorHandlers } from './routes.ts'

export function operatorModule(parts: OperatorParts): Module {
  return { operations: [byOperator(operatorContract, operatorHandlers(parts))] }
}

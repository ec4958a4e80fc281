import type { SecretBox } from '../../kernel/secret-box.ts'
import { byOperator, type Module } from '../module.ts'
import { ElementStore } from '../network/public.ts'
import { elementRequestContract } from './contract.ts'
import { type FindTarget, forgetRequestsJob, requestJob } from './jobs.ts'
import { elementRequestHandlers } from './routes.ts'
import type { Sender } from './sender.ts'

export function elementRequestModule(parts: {
  readonly sender: Sender
  readonly box: SecretBox
  readonly clock: { now(): Date }
}): Module {
  const { sender, box, clock } = parts
  const findTarget: FindTarget = async (tx, name) => {
    const element = await new ElementStore(tx, box).find(name)
    return element && { address: element.address, port: element.coaPort, secret: element.secret }
  }
  return {
    jobs: [requestJob({ sender, findTarget, clock }), forgetRequestsJob],
    operations: [byOperator(elementRequestContract, elementRequestHandlers(sender))],
  }
}

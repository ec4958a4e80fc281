import type { SecretBox } from '../../kernel/secret-box.ts'
import { byOperator, type Module } from '../module.ts'
import { ElementStore } from '../network/public.ts'
import { elementRequestContract } from './contract.ts'
import { type FindTarget, forgetRequestsJob, requestJob } from './jobs.ts'
import { elementRequestHandlers } from './routes.ts'
import type { Sender, Target } from './sender.ts'

export function elementRequestModule(parts: {
  readonly sender: Sender
  readonly box: SecretBox
  readonly clock: { now(): Date }
  /** Takes the requests to all elements. */
  readonly relay: Omit<Target, 'relayTo'> | undefined
}): Module {
  const { sender, box, clock, relay } = parts
  const findTarget: FindTarget = async (tx, name) => {
    const element = await new ElementStore(tx, box).find(name)
    if (element === undefined) return undefined
    return relay === undefined
      ? { host: element.address, port: element.coaPort, secret: element.secret }
      : { ...relay, relayTo: name }
  }
  return {
    jobs: [requestJob({ sender, findTarget, clock }), forgetRequestsJob],
    operations: [byOperator(elementRequestContract, elementRequestHandlers(sender))],
  }
}

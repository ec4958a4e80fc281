/** The port that a plane implements. */

export { queuedRequests } from './queue.ts'
export type { Answer } from './rules.ts'
export {
  type Packet,
  SEND_SECONDS_MAX,
  type Sender,
  type SendResult,
  type Target,
} from './sender.ts'

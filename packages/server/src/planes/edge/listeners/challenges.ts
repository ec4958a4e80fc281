/** An authority asks by HTTP, under the name of a site, whether that name leads here (http-01). */
import { challengeToken } from '../../../services/certificates/public.ts'
import { textAnswer } from '../delivery/answers.ts'
import type { Exchange } from '../delivery/exchange.ts'
import type { EdgeOptions } from '../options.ts'

type Handle = (exchange: Exchange) => void

/** What was asked by no order of ours is for the origin, which may have orders of its own. */
export function answeringChallenges(find: EdgeOptions['findChallenge'], handle: Handle): Handle {
  if (find === undefined) return handle
  return (exchange) => {
    const { method, target } = exchange
    const token = method === 'GET' ? challengeToken(target) : undefined
    if (token === undefined) return handle(exchange)
    find(token).then(
      (answer) => {
        if (answer === undefined) return handle(exchange)
        const { head, body } = textAnswer(200, answer)
        exchange.send(head, body)
      },
      () => exchange.abort(),
    )
  }
}

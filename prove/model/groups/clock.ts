/** The clock, which the operator moves. */
import { type Command, type Context, firstMaker, type Maker, operatorCall } from '../command.ts'

const MOVES = [
  ['1s', 1],
  ['2s', 2],
  ['10s', 10],
  ['1m', 60],
  ['9m', 540],
  ['1h', 3600],
] as const

function advance({ choices }: Context): Command {
  // A day and a month are rare: all that falls due on the way has to be done.
  const rare = choices.below(60)
  const [by, seconds] =
    rare === 0 ? ['31d', 2_678_400] : rare < 5 ? ['1d', 86_400] : choices.pick(MOVES)
  return operatorCall({
    ...{ name: 'clockAdvance', method: 'POST', path: '/clock/advance', body: { by } },
    play(model) {
      model.now += Number(seconds) * 1000
      const isThen = (now: unknown) => typeof now === 'string' && Date.parse(now) === model.now
      return { status: 200, shows: { now: isThen } }
    },
  })
}

export const clockMakers: readonly Maker[] = [firstMaker(8, advance)]

/** The clock in the hands of a test. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { SCALE_MAX } from './clock-rules.ts'

const Clock = Type.Object({ mode: Type.String(), now: Type.String(), scale: Type.Number() })
const Alarm = Type.Object({ name: Type.String(), at: Type.String() })

const operating = 'the server is in operate mode, where the clock is real'

export const clockContract = defineContract({
  clockRead: {
    method: 'GET',
    path: '/clock',
    summary: 'Read the clock',
    access: 'operator',
    reply: Clock,
    refuses: {},
  },
  clockSet: {
    method: 'PUT',
    path: '/clock',
    summary: 'Change the mode of the clock, or the time that it shows',
    access: 'operator',
    body: Type.Object({
      mode: Type.Optional(Type.Enum(['real', 'scaled', 'frozen'])),
      now: Type.Optional(Type.String()),
      scale: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: SCALE_MAX })),
    }),
    reply: Clock,
    refuses: {
      bad_request: 'a field breaks its rule, does not fit the mode, or the time has passed',
      forbidden: operating,
      conflict: 'the clock is ahead of the machine, so that it cannot be real',
    },
  },
  clockAdvance: {
    method: 'POST',
    path: '/clock/advance',
    summary: 'Move the clock, and run all that falls due on the way',
    access: 'operator',
    body: Type.Object({ by: Type.Optional(Type.String()), to: Type.Optional(Type.String()) }),
    reply: Type.Object({ now: Type.String(), fired: Type.Array(Alarm) }),
    refuses: {
      bad_request: 'there is not exactly one of by and to, it is malformed, or the time has passed',
      forbidden: operating,
      conflict: 'the clock is real',
    },
  },
  clockTimers: {
    method: 'GET',
    path: '/clock/timers',
    summary: 'List what is waiting for its time',
    access: 'operator',
    reply: Type.Object({ timers: Type.Array(Alarm) }),
    refuses: {},
  },
})

/** What FreeRADIUS asks and reports, by its `rest` module: JSON of its own form, in which it answers, too. */
import { defineContract } from '../../kernel/contract.ts'
import type { RawAnswer } from '../../kernel/raw-answer.ts'
import { Type } from '../../kernel/type.ts'

const Packet = Type.Record(
  Type.String(),
  Type.Object({ type: Type.String(), value: Type.Array(Type.Unknown()) }),
)

const token = 'the network token is missing or wrong, or the network element is not known'
const broken = 'the body is no JSON, or an attribute has another form'

export const radiusContract = defineContract({
  radiusAuthorize: {
    method: 'POST',
    path: '/radius/authorize',
    summary: 'Ask whether a device gets a session, by RADIUS',
    access: 'token',
    body: Packet,
    bytesBody: true,
    bare: true,
    reply: Type.Unknown(),
    refuses: {
      bad_request: broken,
      unauthorized: 'the device is refused; reply:Reply-Message says why',
      forbidden: token,
      request_too_large: 'the packet has more than 64 KiB',
    },
  },
  radiusAccounting: {
    method: 'POST',
    path: '/radius/accounting',
    summary: 'Report what sessions have used, by RADIUS',
    access: 'token',
    body: Packet,
    bytesBody: true,
    status: 204,
    media: 'text/plain',
    reply: Type.Unsafe<RawAnswer>({ type: 'string' }),
    refuses: {
      bad_request: broken,
      forbidden: token,
      request_too_large: 'the packet has more than 64 KiB',
    },
  },
})

import { Conflict, Forbidden, NotFound } from '../../kernel/errors.ts'

export function unknownElement(): Forbidden {
  return new Forbidden(
    'This network element is not known.',
    'このネットワーク装置は登録されていません。',
  )
}

export function noSim(iccid: string): NotFound {
  return new NotFound(
    `No SIM with the ICCID ${iccid} is registered.`,
    `ICCID ${iccid} の SIM は登録されていません。`,
  )
}

export function noSession(iccid: string): Conflict {
  return new Conflict(`SIM ${iccid} has no session.`, `SIM ${iccid} にはセッションがありません。`)
}

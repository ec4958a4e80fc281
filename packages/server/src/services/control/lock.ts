import { Forbidden } from '../../kernel/errors.ts'

/** Why what tests control may be locked. */
export interface Locks {
  /** People rely on a server in operate mode: nothing may bend time, break answers or replace the state. */
  readonly operating: boolean
  /** Each process would have a clock, faults and a list of requests of its own. */
  readonly severalWorkers: boolean
  /** On a clock that runs ahead, certificates would be ordered of the authority again and again. */
  readonly ordersCertificates: boolean
}

/** For what changes the behaviour of the server. */
export function refuseControl(locks: Locks): void {
  if (locks.operating) {
    throw new Forbidden(
      'This is for tests and locked in operate mode.',
      'テスト用の機能のため、operate モードでは使えません。',
    )
  }
  refuseWithWorkers(locks)
}

export function refuseClockChange(locks: Locks): void {
  refuseControl(locks)
  if (!locks.ordersCertificates) return
  throw new Forbidden(
    'The clock stays real where certificates are ordered by ACME (--acme-directory).',
    'ACME (--acme-directory) で証明書を取得するサーバーでは時計を変更できません。',
  )
}

/** For what one process knows of itself alone. */
export function refuseWithWorkers({ severalWorkers }: Locks): void {
  if (!severalWorkers) return
  throw new Forbidden(
    'This works for one process; the server was started with several (--workers).',
    '複数プロセス (--workers) で起動したサーバーでは使えません。',
  )
}

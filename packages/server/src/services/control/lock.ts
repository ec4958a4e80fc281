import { Forbidden } from '../../kernel/errors.ts'

/** People rely on a server in operate mode: nothing there may bend time or break answers (docs/adr/0070). */
export function refuseWhileOperating(): never {
  throw new Forbidden(
    'This is for tests and locked in operate mode.',
    'テスト用の機能のため、operate モードでは使えません。',
  )
}

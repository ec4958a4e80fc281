/** Whether a known caller may use an operation: its level, and the external permission. */
import { type Caller, mayUse } from '../../kernel/caller.ts'
import { ACCESS_LEVELS, type AccessLevel, type Operation } from '../../kernel/contract.ts'
import { Forbidden } from '../../kernel/errors.ts'

export function isLevel(access: Operation['access']): access is AccessLevel {
  return ACCESS_LEVELS.some((level) => level === access)
}

export function checkAccess(caller: Caller, operation: Operation): void {
  if (isLevel(operation.access) && !mayUse(caller, operation.access)) {
    throw new Forbidden(
      `This needs the access level ${operation.access}; the key has ${caller.permission}.`,
      `アクセスレベル ${operation.access} が必要です（このキーは ${caller.permission}）。`,
    )
  }
  if (operation.external !== undefined && !caller.external.includes(operation.external)) {
    throw new Forbidden(
      `This needs the external permission ${operation.external}.`,
      `外部権限 ${operation.external} が必要です。`,
    )
  }
}

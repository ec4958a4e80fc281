/** What the key of a caller permits. */
import { type Caller, mayUse } from '../../kernel/caller.ts'
import { ACCESS_LEVELS, type AccessLevel, type Operation } from '../../kernel/contract.ts'
import { Forbidden } from '../../kernel/errors.ts'

export function isLevel(access: Operation['access']): access is AccessLevel {
  return ACCESS_LEVELS.some((level) => level === access)
}

/** The access level of the key, and the external permission that some operations need besides. */
export function checkPermission(caller: Caller, { access, external }: Operation): void {
  if (isLevel(access) && !mayUse(caller, access)) {
    throw new Forbidden(
      `This needs the access level ${access}; the key has ${caller.permission}.`,
      `アクセスレベル ${access} が必要です（このキーは ${caller.permission}）。`,
    )
  }
  if (external !== undefined && !caller.external.includes(external)) {
    throw new Forbidden(
      `This needs the external permission ${external}.`,
      `外部権限 ${external} が必要です。`,
    )
  }
}

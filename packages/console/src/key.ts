/** What the key that is signed in may do, so that what it may not is shown with its reason. */
import { useQuery } from './data/query.ts'
import { say, type Text } from './i18n.ts'
import { cloud, hasKey, hasOperator, operatorPath, type Session, session } from './session.ts'
import { shellText } from './shell/texts.ts'

export type Level = 'view' | 'power' | 'arrange' | 'create'
const LEVELS: readonly string[] = ['view', 'power', 'arrange', 'create'] satisfies Level[]

export interface Key {
  readonly accountId: string
  readonly accountCode: string
  readonly memberCode: string
  readonly level: string
  readonly external: readonly string[]
}

export function useKey() {
  return useQuery(ownKey, [session.value.token], { when: hasKey(session.value) })
}

/** Why the key that is signed in may not do this. */
export function useLevelReason(needed: Level): string | undefined {
  return levelReason(useKey().data, needed)
}

let asked: { readonly session: Session; readonly key: Promise<Key> } | undefined

/** Asked once, however many parts of a page want to know. */
function ownKey(): Promise<Key> {
  if (asked?.session !== session.value) asked = { session: session.value, key: readKey() }
  asked.key.catch(() => {
    asked = undefined
  })
  return asked.key
}

async function readKey(): Promise<Key> {
  const { Account, Member, Permission, ExternalPermission } = await cloud().orThrow.authStatus()
  return {
    accountId: Account.ID,
    accountCode: Account.Code,
    memberCode: Member.Code,
    level: Permission,
    external: ExternalPermission.split('+'),
  }
}

const LEVEL: Text = [
  'The API key has the level {level}; this needs {needed}.',
  'API キーの権限は {level} です。この操作には {needed} が必要です。',
]
const OPERATOR: Text = ['This needs the operator token.', 'オペレータートークンが必要です。']

/** Undefined also while the key is not known yet: the server decides all the same. */
export function levelReason(key: Key | undefined, needed: Level): string | undefined {
  if (key === undefined) return undefined
  const has = LEVELS.indexOf(key.level)
  return has >= LEVELS.indexOf(needed) ? undefined : say(LEVEL, { level: key.level, needed })
}

export function operatorReason(): string | undefined {
  if (hasOperator(session.value)) return undefined
  return operatorPath() === undefined ? shellText('operatorElsewhere') : say(OPERATOR)
}

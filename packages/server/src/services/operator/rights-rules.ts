/** What a key may do, in words: for whoever reviews the keys of an account. */
import {
  type AccessLevel,
  EXTERNAL_PERMISSIONS,
  type ExternalPermission,
} from '../../kernel/contract.ts'
import type { Text } from '../../kernel/errors.ts'

const LEVELS: Readonly<Record<AccessLevel, Text>> = {
  view: {
    en: 'May read; may change nothing.',
    ja: '参照のみできます。変更はできません。',
  },
  power: {
    en: 'May read and switch power; may not change settings, create or delete.',
    ja: '参照と電源操作ができます。設定変更、作成、削除はできません。',
  },
  arrange: {
    en: 'May read, switch power and change settings; may not create or delete.',
    ja: '参照、電源操作、設定変更ができます。作成と削除はできません。',
  },
  create: {
    en: 'May read, change, create and delete.',
    ja: '参照、設定変更、作成、削除ができます。',
  },
}

const EXTERNALS: Readonly<Record<ExternalPermission, { may: Text; mayNot: Text }>> = {
  bill: {
    may: { en: 'May read bills.', ja: '請求情報を参照できます。' },
    mayNot: { en: 'May not read bills.', ja: '請求情報は参照できません。' },
  },
  cdn: {
    may: { en: 'May use the web accelerator.', ja: 'ウェブアクセラレータを利用できます。' },
    mayNot: {
      en: 'May not use the web accelerator.',
      ja: 'ウェブアクセラレータは利用できません。',
    },
  },
}

export interface Rights {
  readonly permission: AccessLevel
  readonly external: readonly ExternalPermission[]
}

export function describeRights({ permission, external }: Rights): { en: string; ja: string } {
  const sentences = [
    LEVELS[permission],
    ...EXTERNAL_PERMISSIONS.map((word) =>
      external.includes(word) ? EXTERNALS[word].may : EXTERNALS[word].mayNot,
    ),
  ]
  return { en: sentences.map(({ en }) => en).join(' '), ja: sentences.map(({ ja }) => ja).join('') }
}

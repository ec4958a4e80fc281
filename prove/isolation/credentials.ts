/** Who tries: keys of every level of two accounts, keys that have ended, and tokens that were made for something else. */
import {
  ACCESS_LEVELS,
  type AccessLevel,
  EXTERNAL_PERMISSIONS,
} from '../../packages/server/src/kernel/contract.ts'
import {
  basic,
  EDGE_TOKEN,
  NETWORK_TOKEN,
  OPERATOR_TOKEN,
  TEST_WORLD,
} from '../../packages/server/src/testing/cloud.ts'
import type { Pool } from '../../tools/fuzz/step.ts'
import { WORLD } from '../../tools/fuzz/target.ts'

const key = (token: string, permission: AccessLevel, more: object = {}) => ({
  ...{ token, secret: `${token}-secret`, permission, external: [...EXTERNAL_PERMISSIONS] },
  ...more,
})

const keysOf = (account: string) =>
  ACCESS_LEVELS.map((level) => key(`${account}-${level}-all`, level))

const [owner, other] = TEST_WORLD.accounts
export const OWNER_CODE = 'acme'
/** Used up to the point where they are ended, see `endKeys` of walk.ts. */
export const REVOKED = 'acme-revoked'
export const ROTATED = 'acme-rotated'

/** The scenario's world, in which both accounts have more keys. */
export const ISOLATION_WORLD = {
  ...WORLD,
  accounts: [
    {
      ...owner,
      keys: [
        ...(owner?.keys ?? []),
        ...keysOf('acme'),
        key('acme-bare', 'create', { external: [] }),
        key('acme-expired', 'create', { expires_at: '2026-03-01T00:00:00Z' }),
        key('acme-elsewhere', 'create', { allowed_addresses: ['192.0.2.0/24'] }),
        ...[REVOKED, ROTATED].map((token) => key(token, 'create')),
      ],
    },
    { ...other, keys: keysOf('other') },
  ],
}

export interface Credentials {
  readonly who: string
  /** Undefined sends none. */
  readonly authorization: string | undefined
}

/** Another account's, of every level. */
export const OTHERS: readonly Credentials[] = ACCESS_LEVELS.map((level) => ({
  who: `another account's key of the level ${level}`,
  authorization: basic(`other-${level}-all`),
}))

/** Whose own things stand in the call beside one of the owner's. */
export const MIXING: Credentials = {
  who: 'another account, with things of its own',
  authorization: basic('other-create-all'),
}

/** The owner's own, which the operation asks more of. */
export function tooLow(level: AccessLevel): Credentials[] {
  return ACCESS_LEVELS.slice(0, ACCESS_LEVELS.indexOf(level)).map((lower) => ({
    who: `the owner's key of the level ${lower}`,
    authorization: basic(`acme-${lower}-all`),
  }))
}

export const WITHOUT_EXTERNAL: Credentials = {
  who: "the owner's key without the external permission",
  authorization: basic('acme-bare'),
}

/** They are, or were, the owner's, and do not work. */
export const ENDED: readonly Credentials[] = [
  ...['expired', 'elsewhere', 'revoked', 'rotated'].map((which) => ({
    who: `the owner's key that is ${which}`,
    authorization: basic(`acme-${which}`),
  })),
  { who: 'a wrong secret', authorization: basic('acme-token', 'wrong') },
]

export const NOBODY: Credentials = { who: 'nobody', authorization: undefined }

/** Keys as an account shows them, where no key opens anything. */
export const KEYS: readonly Credentials[] = [
  { who: "the owner's key", authorization: basic('acme-token') },
  ...OTHERS,
]

/** By their kind. Those that the server has handed out come from the answers. */
export function tokensOf(pool: Pool): ReadonlyMap<string, string> {
  const named = ['secret', 'incoming', 'upload', 'download'].flatMap((name) => {
    const value = pool.named.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return new Map([
    ['operator', OPERATOR_TOKEN],
    ['network', NETWORK_TOKEN],
    ['edge', EDGE_TOKEN],
    ...named,
  ])
}

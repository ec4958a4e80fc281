/** Opens an account for the operator, who may create keys but never sees the secrets of those that there are. */
import type { Client } from '@kumoi/client'
import { clientFor, cloud, type KnownKey, session, signInWith } from '../session.ts'

export interface AccountName {
  readonly code: string
  readonly name: string
}

/** With a key that this tab has already, or with one that it creates and revokes at the sign-out. */
export async function openAccount({ code, name }: AccountName): Promise<void> {
  const known = session.value.known?.find(({ account }) => account === code)
  if (known !== undefined && (await isValid(known))) return signInWith(known)
  const { key, secret } = await cloud().orThrow.keyCreate({
    params: { code },
    body: { permission: 'create', external: ['bill', 'cdn'], note: 'console' },
  })
  signInWith({ account: code, name, token: key.token, secret, isOwn: true })
}

/** It may have been revoked meanwhile, or have gone with a reset. */
async function isValid({ token, secret }: KnownKey): Promise<boolean> {
  const client: Client = clientFor({ ...session.value, token, secret })
  return (await client.authStatus()).ok
}

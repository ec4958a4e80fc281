/** Compiled and never run: a strict project of somebody else, as CommonJS. */
import { createClient } from '@kumoi/client'
import { cloudFor, cloudForEach, type RunningCloud, startCloud } from 'kumoi/testing'

export async function usage(): Promise<string> {
  await using cloud = await startCloud({ seed: 'one', clock: new Date(0) })
  const running: RunningCloud = await cloudFor({ after: () => undefined })
  const client = createClient({ baseUrl: cloud.url, fetch: running.fetch })
  const { Account } = await client.orThrow.authStatus()
  // @ts-expect-error: a number where a text is wanted.
  await startCloud({ seed: 1 })
  return Account.Code
}

export const cloud = cloudForEach({ beforeEach: () => undefined, afterEach: () => undefined })

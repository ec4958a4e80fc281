/**
 * Who is signed in. Keys and tokens stay in this tab: they are in sessionStorage, which other tabs do not
 * see and which ends with the tab, and never in an address.
 */
import { type Client, createClient } from '@kumoi/client'
import { Store } from './data/store.ts'
import { language } from './i18n.ts'

export interface Session {
  readonly token?: string
  readonly secret?: string
  readonly operatorToken?: string
  readonly zone: string
  /** Keys of this tab, one an account: changing back to an account needs no other one. */
  readonly known?: readonly KnownKey[]
}

export interface KnownKey {
  /** The code of its account. */
  readonly account: string
  readonly name: string
  readonly token: string
  readonly secret: string
  /** The console created it with the operator token, and revokes it when the reader signs out. */
  readonly isOwn?: boolean
}

export const CLIENT_NAME = 'console'

const KEY = 'kumoi.session'
const NOBODY: Session = { zone: 'is1a' }

export const session = new Store<Session>(restore())

function restore(): Session {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return { ...NOBODY, ...Object(kept) }
  } catch {
    return NOBODY
  }
}

export function changeSession(changes: Partial<Session>): void {
  const next = { ...session.value, ...changes }
  sessionStorage.setItem(KEY, JSON.stringify(next))
  session.set(next)
}

/** Uses this key from now on, and keeps it. */
export function signInWith(key: KnownKey): void {
  const { token, secret, account } = key
  const others = (session.value.known ?? []).filter((one) => one.account !== account)
  changeSession({ token, secret, known: [...others, key] })
}

export function signOut(): void {
  const { known = [], operatorToken } = session.value
  if (operatorToken !== undefined) {
    const client = cloud()
    for (const { account: code, token, isOwn } of known) {
      if (isOwn) void client.keyRevoke({ params: { code, token } })
    }
  }
  sessionStorage.removeItem(KEY)
  session.set(NOBODY)
}

/** Whether it is of use here: each listener has only its own part of the APIs. */
export const hasKey = ({ token }: Session) => token !== undefined && apiPath() !== undefined
export const hasOperator = ({ operatorToken }: Session) =>
  operatorToken !== undefined && operatorPath() !== undefined

/**
 * The link of the server's banner brings the operator token after the `#`, which is sent to nobody, and the
 * key of the demo world. Both are taken out of the address before anything is drawn, so that no bookmark or
 * screenshot has them.
 */
export function takeTokenFromAddress(): void {
  if (!location.hash.startsWith('#operator=')) return
  const { operator, key } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  history.replaceState(null, '', `${location.pathname}#/`)
  const [token, secret] = key?.split(':') ?? []
  changeSession({
    ...(operator && { operatorToken: operator }),
    ...(token && secret && { token, secret }),
  })
}

/** What the server wrote into the page: where the API and the operator API are, if they are here. */
function placeOf(name: string): string | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
  return content === undefined || content === '' || content.startsWith('%') ? undefined : content
}

export const apiPath = () => placeOf('kumoi-api')
export const operatorPath = () => placeOf('kumoi-operator')

let made: { session: Session; language: string; client: Client } | undefined

/** The client of whoever is signed in. */
export function cloud(): Client {
  const now = session.value
  if (made?.session !== now || made.language !== language.value) {
    made = { session: now, language: language.value, client: clientFor(now) }
  }
  return made.client
}

export function clientFor({ token, secret, operatorToken, zone }: Session): Client {
  return createClient({
    baseUrl: `${location.origin}${apiPath() ?? ''}`,
    zone,
    ...(token !== undefined && secret !== undefined && { token, secret }),
    ...(operatorToken !== undefined && { operatorToken }),
    // By its name, the page of requests tells the console's own calls from those of others.
    headers: { 'accept-language': language.value, 'x-kumoi-client': CLIENT_NAME },
    // A page asks again by itself; a reader who waits wants to see what is wrong.
    retry: { tries: 2, baseMs: 500, maxMs: 2000 },
  })
}

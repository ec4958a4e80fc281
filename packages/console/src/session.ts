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

export function signOut(): void {
  sessionStorage.removeItem(KEY)
  session.set(NOBODY)
}

/** Whether it is of use here: each listener has only its own part of the APIs. */
export const hasKey = ({ token }: Session) => token !== undefined && apiPath() !== undefined
export const hasOperator = ({ operatorToken }: Session) =>
  operatorToken !== undefined && operatorPath() !== undefined

/**
 * The link of the server's banner brings the operator token after the `#`, which is sent to nobody. It is
 * taken out of the address before anything is drawn, so that no bookmark or screenshot has it.
 */
export function takeTokenFromAddress(): void {
  const token = /^#operator=([^&]+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  history.replaceState(null, '', `${location.pathname}#/`)
  changeSession({ operatorToken: decodeURIComponent(token) })
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

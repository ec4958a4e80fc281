/** What the palette finds: pages and actions here, SIMs and gateways by asking the server. */
import { language, say, setLanguage, type Text } from '../i18n.ts'
import { pageGroups } from '../pages.ts'
import { navigate } from '../router.ts'
import { cloud, hasKey, session, signOut } from '../session.ts'
import { setTheme, shade } from '../theme.ts'
import { type IconName, iconOf } from '../ui/icon.tsx'
import { mayOpen } from './menu.tsx'
import { opened } from './opened.ts'

export interface Entry {
  readonly key: string
  readonly kind: 'page' | 'action' | 'sim' | 'gateway'
  readonly icon: IconName
  readonly title: string
  readonly note?: string
  /** What it is found by. */
  readonly words: string
  readonly run: () => void
}

/** Every word that is typed has to be in it. */
export function matches({ words }: Pick<Entry, 'words'>, text: string): boolean {
  const searched = words.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

/** Those that need no question. In both languages, since a habit outlives a setting. */
export function ownEntries(): Entry[] {
  return [...pages(), ...actions()]
}

function pages(): Entry[] {
  return pageGroups
    .filter((group) => mayOpen(group, session.value))
    .flatMap((group) =>
      group.pages.flatMap(({ path, title }) =>
        title === undefined ? [] : [pageEntry(path, title)],
      ),
    )
}

function pageEntry(path: string, title: Text): Entry {
  return {
    ...{ key: `page-${path.replaceAll('/', '-')}`, kind: 'page', icon: iconOf(path) },
    title: say(title),
    words: title.join(' '),
    run: () => navigate(path),
  }
}

const action = (key: string, title: Text, run: () => void): Entry => ({
  ...{ key: `action-${key}`, kind: 'action', icon: 'action' },
  title: say(title),
  words: title.join(' '),
  run,
})

/** A page whose dialog is open when it is there. */
const create = (path: string, title: Text) =>
  action(path.slice(1), title, () => navigate(path, { new: '1' }))

function actions(): Entry[] {
  const creations = [
    create('/sims', ['Register a SIM', 'SIM を登録']),
    create('/gateways', ['Create a gateway', 'ゲートウェイを作成']),
    create('/iot', ['Create an IoT project', 'IoT プロジェクトを作成']),
    create('/sms', ['Create an SMS service', 'SMS サービスを作成']),
    create('/webaccel', ['Create a site', 'サイトを作成']),
    action('register-many', ['Register many SIMs by CSV', 'CSV で SIM を一括登録'], () =>
      navigate('/sims/register'),
    ),
  ]
  return [...(hasKey(session.value) ? creations : []), ...preferences()]
}

function preferences(): Entry[] {
  const isDark = shade.value === 'dark'
  const other = language.value === 'ja' ? 'en' : 'ja'
  return [
    isDark
      ? action('light', ['Light appearance', 'ライト表示にする'], () => setTheme('light'))
      : action('dark', ['Dark appearance', 'ダーク表示にする'], () => setTheme('dark')),
    action('language', ['日本語で表示', 'Show it in English'], () => setLanguage(other)),
    action('keys', ['Keyboard shortcuts', 'キーボードショートカット'], () => opened.set('help')),
    action('sign-in', ['Sign in with another key', '別のキーでサインイン'], () =>
      navigate('/sign-in'),
    ),
    action('sign-out', ['Sign out', 'サインアウト'], () => {
      signOut()
      navigate('/')
    }),
  ]
}

const SIMS_SHOWN = 8
const GATEWAYS_SHOWN = 5

/** Digits alone are the beginning of an ICCID more often than a name. */
const isNumber = (text: string) => /^\d{4,}$/.test(text)

export async function findThings(text: string, signal: AbortSignal): Promise<Entry[]> {
  const calls = cloud().orThrow
  const named = isNumber(text) ? { 'Status.ICCID': text } : { Name: text }
  const [sims, gateways] = await Promise.all([
    calls.itemList(
      {
        search: {
          Filter: { 'Provider.Class': 'sim', ...named },
          ...{ Sort: ['Name'], Count: SIMS_SHOWN, Include: ['ID', 'Name', 'Status.ICCID'] },
        },
      },
      { signal },
    ),
    calls.gatewayList({ search: { Filter: { Name: text }, Count: GATEWAYS_SHOWN } }, { signal }),
  ])
  return [
    ...sims.CommonServiceItems.map(({ ID = '', Name, Status }) =>
      thing('sim', ID, Name, String(Object(Status).ICCID ?? '')),
    ),
    ...gateways.Appliances.map(({ ID = '', Name }) => thing('gateway', ID, Name, ID)),
  ]
}

function thing(kind: 'sim' | 'gateway', id: string, name: string | undefined, note: string): Entry {
  const title = name || id
  const path = `/${kind}s/${id}`
  return {
    ...{ key: `${kind}-${id}`, kind, icon: kind, title, note, words: title },
    run: () => navigate(path),
  }
}

import { useQuery } from '../data/query.ts'
import { useStore } from '../data/store.ts'
import { formatTime } from '../format.ts'
import { type Language, language, setLanguage } from '../i18n.ts'
import { navigate } from '../router.ts'
import { apiPath, changeSession, cloud, hasKey, hasOperator, session, signOut } from '../session.ts'
import { setTheme, type Theme, theme } from '../theme.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Logo } from './logo.tsx'
import { PaletteButton } from './palette-button.tsx'
import { shellText } from './texts.ts'

export interface TopBarProps {
  readonly isIn: boolean
  /** On a narrow screen, the menu and what is here besides the name are seen only when asked for. */
  readonly isOpen: boolean
  readonly onToggle: () => void
}

export function TopBar({ isIn, isOpen, onToggle }: TopBarProps) {
  return (
    <header class={isIn && !isOpen ? 'top-bar' : 'top-bar open'}>
      <a class="brand" href="#/">
        <Logo />
        Kumoi
      </a>
      {isIn && <Who />}
      <span class="spring" />
      {isIn && <PaletteButton />}
      {isIn && (
        <button
          type="button"
          class="button menu-toggle"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={onToggle}
        >
          {shellText('menu')}
        </button>
      )}
      <div class="top-more">
        {isIn && <VirtualTime />}
        {isIn && <Zones />}
        <Preferences />
        {isIn && (
          <Button kind="quiet" onClick={leave}>
            {shellText('signOut')}
          </Button>
        )}
      </div>
    </header>
  )
}

function leave(): void {
  signOut()
  navigate('/')
}

function Who() {
  const now = useStore(session)
  return (
    <>
      {apiPath() !== undefined && <AccountMenu />}
      {hasOperator(now) && <Badge tone="info">{shellText('operator')}</Badge>}
    </>
  )
}

function Zones() {
  const now = useStore(session)
  const zones = useQuery(
    async (signal) => (await cloud().orThrow.zoneList({}, { signal })).Zones,
    [now.token],
    { when: hasKey(now) },
  )
  if (!hasKey(now)) return null
  return (
    <select
      aria-label={shellText('zone')}
      value={now.zone}
      onChange={(event) => changeSession({ zone: event.currentTarget.value })}
    >
      {(zones.data?.map(({ Name }) => Name) ?? [now.zone]).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Who tests with a virtual clock must not mistake its time for today's. */
function VirtualTime() {
  const isOperator = hasOperator(useStore(session))
  const clock = useQuery((signal) => cloud().orThrow.clockRead({}, { signal }), [], {
    everyMs: 5000,
    when: isOperator,
  })
  if (clock.data === undefined || clock.data.mode === 'real') return null
  return (
    <Badge tone="warn">
      {shellText('virtualClock')} {formatTime(clock.data.now)}
    </Badge>
  )
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

function Preferences() {
  const chosen = useStore(theme)
  const spoken = useStore(language)
  return (
    <>
      <select
        aria-label={shellText('theme')}
        value={chosen}
        onChange={(event) => {
          const next = THEMES.find((one) => one === event.currentTarget.value)
          if (next !== undefined) setTheme(next)
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {shellText(one === 'system' ? 'system' : one === 'light' ? 'light' : 'dark')}
          </option>
        ))}
      </select>
      <select
        aria-label={shellText('language')}
        value={spoken}
        onChange={(event) =>
          setLanguage(event.currentTarget.value === 'ja' ? 'ja' : ('en' satisfies Language))
        }
      >
        <option value="en">English</option>
        <option value="ja">日本語</option>
      </select>
    </>
  )
}

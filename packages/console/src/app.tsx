/** The frame around all pages: who is signed in, the menu, and the page that the address names. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from './data/store.ts'
import { language } from './i18n.ts'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { useRoute } from './router.ts'
import { hasKey, hasOperator, session, takeTokenFromAddress } from './session.ts'
import { Keyboard } from './shell/keyboard.tsx'
import { Menu } from './shell/menu.tsx'
import { OpenPage } from './shell/open-page.tsx'
import { shellText } from './shell/texts.ts'
import { TopBar } from './shell/top-bar.tsx'
import { Toaster } from './ui/toaster.tsx'

export function App() {
  // Another language draws everything anew.
  return <Frame key={useStore(language)} />
}

function Frame() {
  const now = useStore(session)
  const route = useRoute()
  // The link may also be opened in a tab where the console already is.
  useEffect(takeTokenFromAddress, [route])
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [route.path])
  useFocusOf(route.path)
  const isIn = hasKey(now) || hasOperator(now)
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {shellText('skip')}
      </button>
      <TopBar isIn={isIn} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <div class={isIn ? 'columns' : 'columns alone'}>
        {isIn && <Menu path={route.path} isOpen={isOpen} />}
        <main id="main" tabIndex={-1}>
          {isIn && route.path !== '/sign-in' ? (
            // Whoever signs in or changes the zone sees their own and not what was there before.
            <OpenPage key={`${now.token} ${now.operatorToken} ${now.zone}`} route={route} />
          ) : (
            <SignIn />
          )}
        </main>
      </div>
      {isIn && <Keyboard />}
      <Toaster />
    </>
  )
}

/** Who opens a page by keyboard or by ear goes on in it, at its beginning. */
function useFocusOf(path: string): void {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    document.getElementById('main')?.focus()
  }, [path])
}

/** Not a link, since the `#` of the address is the page that is open. */
function skip(): void {
  document.getElementById('main')?.focus()
}

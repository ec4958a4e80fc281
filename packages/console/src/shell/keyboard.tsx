/** Listens for the keys of the console, and opens the palette and the help. */
import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../data/store.ts'
import { navigate } from '../router.ts'
import { session } from '../session.ts'
import { mayOpen } from './menu.tsx'
import { findPage } from './open-page.tsx'
import { opened } from './opened.ts'
import { meaningOf } from './shortcuts.ts'

/** How long `g` waits for the letter after it. */
const GOING_MS = 1500

export function Keyboard() {
  const what = useStore(opened)
  const goingUntil = useRef(0)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const meaning = meaningOf(event, {
        isTyping: isTyping(event.target),
        hasDialog: document.querySelector('dialog[open]') !== null,
        isGoing: event.timeStamp < goingUntil.current,
      })
      goingUntil.current = meaning.does === 'wait' ? event.timeStamp + GOING_MS : 0
      if (meaning.does === 'nothing' || meaning.does === 'wait') return
      event.preventDefault()
      if (meaning.does === 'open') openPage(meaning.path)
      else if (meaning.does === 'search') focusSearch()
      else opened.set(meaning.does)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  if (what === undefined) return null
  return <Fetched key={what} what={what} onClose={() => opened.set(undefined)} />
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null
}

/** A page that is not open to who is signed in stays closed. */
function openPage(path: string): void {
  const found = findPage(path)
  if (found !== undefined && mayOpen(found.group, session.value)) navigate(path)
}

/** The search of the page; where it has none, the palette searches everything. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field === null) opened.set('palette')
  field?.focus()
  field?.select()
}

interface DialogProps {
  readonly onClose: () => void
}

const DIALOGS = {
  palette: async () => (await import('./palette.tsx')).Palette,
  help: async () => (await import('./key-help.tsx')).KeyHelp,
}

/** Fetched when it is first asked for, so that the first load stays small. */
function Fetched({ what, onClose }: DialogProps & { what: keyof typeof DIALOGS }) {
  const [found, setFound] = useState<{ dialog: ComponentType<DialogProps> }>()
  useEffect(() => {
    DIALOGS[what]().then((dialog) => setFound({ dialog }), onClose)
  }, [what])
  if (found === undefined) return null
  const { dialog: Body } = found
  return <Body onClose={onClose} />
}

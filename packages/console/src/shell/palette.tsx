/** The palette: one field that finds pages, SIMs, gateways and actions. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useQuery } from '../data/query.ts'
import { hasKey, session } from '../session.ts'
import { Icon } from '../ui/icon.tsx'
import { type Entry, findThings, matches, ownEntries } from './palette-entries.ts'
import { shellText } from './texts.ts'

/** A rest after typing, so that not every letter is a question to the server. */
const TYPING_MS = 120

export function Palette({ onClose }: { onClose: () => void }) {
  const frame = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const entries = useEntries(text)
  const [at, setAt] = useState(0)
  const chosen = Math.min(at, entries.length - 1)
  useEffect(() => frame.current?.showModal(), [])
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return
    // Closed first: what it opens takes the focus.
    frame.current?.close()
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) return run(entries[chosen])
    setAt((chosen + step + entries.length) % Math.max(1, entries.length))
  }
  const type = (next: string) => {
    setText(next)
    setAt(0)
  }
  return (
    <dialog ref={frame} class="palette" aria-label={shellText('find')} onClose={onClose}>
      <Search
        text={text}
        onInput={type}
        onKeyDown={press}
        active={entries[chosen]?.key}
        entries={entries}
        onChoose={run}
      />
    </dialog>
  )
}

function useEntries(text: string): Entry[] {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const things = useQuery((signal) => findThings(asked, signal), [asked], {
    when: asked !== '' && hasKey(session.value),
  })
  const found = text.trim() === '' ? [] : (things.data ?? [])
  return [...ownEntries().filter((entry) => matches(entry, text)), ...found]
}

interface SearchProps {
  readonly text: string
  readonly onInput: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  /** The key of the entry that Enter takes. */
  readonly active: string | undefined
  readonly entries: readonly Entry[]
  readonly onChoose: (entry: Entry) => void
}

function Search({ text, onInput, onKeyDown, active, entries, onChoose }: SearchProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={shellText('find')}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
          autocomplete="off"
          spellcheck={false}
          placeholder={shellText('findHint')}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="palette-list" role="listbox" id={id} aria-label={shellText('find')} ref={list}>
        {entries.map((entry) => (
          <button
            key={entry.key}
            type="button"
            role="option"
            id={`${id}-${entry.key}`}
            aria-selected={entry.key === active}
            tabIndex={-1}
            onClick={() => onChoose(entry)}
          >
            <Icon name={entry.icon} />
            <span class="palette-title">{entry.title}</span>
            {entry.note !== undefined && <span class="note">{entry.note}</span>}
            <span class="palette-kind">{shellText(entry.kind)}</span>
          </button>
        ))}
      </div>
      <p class="palette-foot note" role="status">
        {entries.length === 0 ? shellText('foundNothing') : shellText('paletteKeys')}
      </p>
    </>
  )
}

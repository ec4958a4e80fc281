/** A text with its line numbers beside it, and what is wrong at one of them. */
import { useEffect, useId, useRef } from 'preact/hooks'
import type { WorldRefusal } from './world-refusal.ts'

interface WorldEditorProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly onInput: (text: string) => void
  readonly refusal: WorldRefusal | undefined
}

export function WorldEditor({ label, hint, value, onInput, refusal }: WorldEditorProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusal !== undefined && area.current !== null) showLine(area.current, refusal.line)
  }, [refusal])
  const lines = value.split('\n').length
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="editor">
        <div class="editor-lines" ref={gutter} aria-hidden="true">
          {Array.from({ length: lines }, (_, at) => (
            <div key={at} class={at + 1 === refusal?.line ? 'bad' : undefined}>
              {at + 1}
            </div>
          ))}
        </div>
        <textarea
          id={id}
          ref={area}
          class="mono"
          rows={20}
          wrap="off"
          spellcheck={false}
          value={value}
          aria-invalid={refusal === undefined ? undefined : 'true'}
          aria-describedby={`${id}-note`}
          onInput={(event) => onInput(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop
          }}
        />
      </div>
      <p class="note" id={`${id}-note`}>
        {hint}
      </p>
    </div>
  )
}

/** Selects the line and brings it into view. */
function showLine(area: HTMLTextAreaElement, line: number): void {
  const before = area.value.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, text) => sum + text.length + 1, 0)
  const end = area.value.indexOf('\n', start)
  area.focus()
  area.setSelectionRange(start, end === -1 ? area.value.length : end)
  const height = area.scrollHeight / area.value.split('\n').length
  area.scrollTop = Math.max(0, (line - 5) * height)
}

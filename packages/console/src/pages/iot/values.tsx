/** Whatever a message carries, as text. */
export function Values({ payload }: { payload: readonly unknown[] }) {
  return (
    <ul class="values">
      {payload.map((entry, at) => {
        const { tag, type, value } = Object(entry)
        return (
          <li key={`${at}`}>
            <code>{String(tag)}</code> <span class="note">{String(type)}</span>{' '}
            <span class="mono">{String(value)}</span>
          </li>
        )
      })}
    </ul>
  )
}

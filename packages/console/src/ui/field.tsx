/** A labelled input with its hint and its error, tied together for those who do not see them. */
import { useId } from 'preact/hooks'

interface Common {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
}

export interface FieldProps extends Common {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'datetime-local' | 'date' | 'month'
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly rows?: number
  readonly isMono?: boolean
  readonly autocomplete?: string
}

export function Field(props: FieldProps) {
  const { label, hint, error, value, onInput, type = 'text', rows } = props
  const id = useId()
  const shared = {
    id,
    value,
    class: props.isMono ? 'mono' : undefined,
    placeholder: props.placeholder,
    required: props.isRequired,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': hint || error ? `${id}-note` : undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input {...shared} {...kindOf(type)} autocomplete={props.autocomplete ?? 'off'} />
      ) : (
        <textarea {...shared} rows={rows} spellcheck={false} />
      )}
      <Note id={`${id}-note`} hint={hint} error={error} />
    </div>
  )
}

/** The types of JSX want each kind of input by itself; they are all the same here. */
function kindOf(type: NonNullable<FieldProps['type']>): { type: 'text' } {
  return { type: type as 'text' }
}

export interface SelectProps<T extends string> extends Common {
  readonly value: T
  readonly onChange: (value: T) => void
  readonly options: readonly (readonly [value: T, label: string])[]
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { label, hint, error, value, onChange, options } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        onChange={(event) => {
          const chosen = options.find(([option]) => option === event.currentTarget.value)
          if (chosen !== undefined) onChange(chosen[0])
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      <Note id={`${id}-note`} hint={hint} error={error} />
    </div>
  )
}

export interface CheckProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
}

export function Check({ label, isChecked, onChange, isDisabled }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

function Note({
  id,
  hint,
  error,
}: {
  id: string
  hint?: string | undefined
  error?: string | undefined
}) {
  if (!hint && !error) return null
  return (
    <p id={id} class={error ? 'note bad' : 'note'}>
      {error ?? hint}
    </p>
  )
}

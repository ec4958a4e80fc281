/** The values of a message as a reader types them. */
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { type Entry, nextEntry, VALUE_TYPES } from './payload.ts'
import { iotText } from './texts.ts'

const VALUES_MAX = 256

interface EntriesProps {
  readonly entries: readonly Entry[]
  readonly onChange: (entries: readonly Entry[]) => void
}

export function Entries({ entries, onChange }: EntriesProps) {
  const change = (at: number, changes: Partial<Entry>) =>
    onChange(entries.map((one, place) => (place === at ? { ...one, ...changes } : one)))
  return (
    <>
      {entries.map((entry, at) => (
        <div key={`${at}`} class="value-row">
          <Field
            label={iotText('tag')}
            value={entry.tag}
            onInput={(tag) => change(at, { tag })}
            isMono
          />
          <Select
            label={iotText('type')}
            value={entry.type}
            onChange={(type) => change(at, { type, ...(type === 'bool' && { value: 'true' }) })}
            options={VALUE_TYPES.map((type) => [type, type] as const)}
          />
          {entry.type === 'bool' ? (
            <Select
              label={iotText('value')}
              value={entry.value}
              onChange={(value) => change(at, { value })}
              options={[
                ['true', 'true'],
                ['false', 'false'],
              ]}
            />
          ) : (
            <Field
              label={iotText('value')}
              value={entry.value}
              onInput={(value) => change(at, { value })}
              isMono
            />
          )}
          {entries.length > 1 && (
            <Button
              kind="quiet"
              label={iotText('removeValue', { tag: entry.tag })}
              onClick={() => onChange(entries.filter((_, place) => place !== at))}
            >
              ×
            </Button>
          )}
        </div>
      ))}
      {entries.length < VALUES_MAX && (
        <Button onClick={() => onChange([...entries, nextEntry(entries)])}>
          {iotText('addValue')}
        </Button>
      )}
    </>
  )
}

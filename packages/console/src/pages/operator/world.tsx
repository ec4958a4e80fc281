/** The world as a file: apply one, see at which line it is refused, and take the present one away. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { formatNumber } from '../../format.ts'
import { saveAs } from '../../save-as.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { WorldEditor } from './world-editor.tsx'
import { refusalAt } from './world-refusal.ts'
import { worldText } from './world-texts.ts'

const MODES = ['add', 'replace'] as const
type Mode = (typeof MODES)[number]
type Changes = Readonly<Record<string, { created: number; updated: number; unchanged: number }>>

export function WorldPage() {
  const exporting = useAction(async () => {
    saveAs('world.json', 'application/json', await readWorld())
  }, worldText('exported'))
  return (
    <Page
      title={worldText('title')}
      note={worldText('note')}
      actions={
        <Button isBusy={exporting.isBusy} onClick={() => void exporting.run()}>
          {worldText('export')}
        </Button>
      }
    >
      {exporting.error !== undefined && <ErrorBox error={exporting.error} />}
      <ApplyCard />
    </Page>
  )
}

/** JSON is YAML, too, so that it can be edited and applied again. */
async function readWorld(): Promise<string> {
  return `${JSON.stringify(await cloud().orThrow.worldRead(), undefined, 2)}\n`
}

function ApplyCard() {
  const [text, setText] = useState(EXAMPLE)
  const [file, setFile] = useState('world.yaml')
  const [mode, setMode] = useState<Mode>('add')
  const [changes, setChanges] = useState<Changes>()
  const fill = (name: string, next: string) => {
    setFile(name)
    setText(next)
    setChanges(undefined)
    apply.clear()
  }
  const apply = useAction(async () => {
    setChanges(undefined)
    setChanges((await cloud().orThrow.worldApply({ query: { mode, file }, text })).changes)
  }, worldText('applied'))
  const edit = useAction(async () => fill('world.json', await readWorld()))
  const refusal = refusalAt(apply.error, file)
  return (
    <Card title={worldText('apply')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void apply.run()
        }}
      >
        <div class="filters">
          <FileField
            label={worldText('file')}
            accept=".yaml,.yml,.json"
            onChoose={(chosen) => void chosen?.text().then((read) => fill(chosen.name, read))}
          />
          <Button isBusy={edit.isBusy} onClick={() => void edit.run()}>
            {worldText('editPresent')}
          </Button>
        </div>
        <WorldEditor
          label={worldText('text', { file })}
          hint={worldText('textHint')}
          value={text}
          onInput={setText}
          refusal={refusal}
        />
        {refusal !== undefined && (
          <div class="error-box" role="alert">
            <strong>{worldText('refusedAt', { line: refusal.line })}</strong>
            <p class="error-message">{refusal.message}</p>
            <p class="note">{worldText('nothingChanged')}</p>
          </div>
        )}
        {[edit.error, refusal === undefined ? apply.error : undefined].map(
          (error, at) => error !== undefined && <ErrorBox key={`${at}`} error={error} />,
        )}
        <Select<Mode>
          label={worldText('mode')}
          value={mode}
          onChange={setMode}
          options={MODES.map((one) => [one, worldText(one)] as const)}
        />
        <Button kind="primary" type="submit" isBusy={apply.isBusy}>
          {worldText('applyIt')}
        </Button>
      </form>
      {changes !== undefined && <ChangesTable changes={changes} />}
    </Card>
  )
}

function ChangesTable({ changes }: { changes: Changes }) {
  const counts = ['created', 'updated', 'unchanged'] as const
  return (
    <Table
      caption={worldText('changes')}
      rows={Object.entries(changes)}
      keyOf={([section]) => section}
      columns={[
        {
          ...{ key: 'section', title: worldText('section') },
          cell: ([section]) => <code>{section}</code>,
        },
        ...counts.map((key) => ({
          ...{ key, title: worldText(key), align: 'end' as const },
          cell: ([, count]: [string, Changes[string]]) => formatNumber(count[key]),
        })),
      ]}
    />
  )
}

const EXAMPLE = `version: 1
accounts:
  - code: example
    name: Example
    keys:
      - token: example-token
        secret: example-secret
        permission: create
        external: [bill, cdn]
`

import type { Snapshot } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatTime } from '../../format.ts'
import { saveAs } from '../../save-as.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { ImportCard } from './snapshot-import.tsx'
import { operatorText } from './texts.ts'

type Asked = { readonly what: 'load'; readonly name: string } | { readonly what: 'reset' }

export function Snapshots() {
  const [asked, setAsked] = useState<Asked>()
  const snapshots = useQuery(
    async (signal) => (await cloud().orThrow.snapshotList({}, { signal })).snapshots,
    [],
  )
  const remove = useAction(
    async (name: string) => {
      await cloud().orThrow.snapshotDelete({ params: { name } })
      snapshots.reload()
    },
    (name) => operatorText('snapshotRemoved', { name }),
  )
  return (
    <Page
      title={operatorText('snapshots')}
      note={operatorText('snapshotsNote')}
      actions={
        <Button kind="danger" onClick={() => setAsked({ what: 'reset' })}>
          {operatorText('reset')}
        </Button>
      }
    >
      <div class="cards">
        <SaveCard onDone={snapshots.reload} />
        <ImportCard onDone={snapshots.reload} />
      </div>
      {remove.error !== undefined && <ErrorBox error={remove.error} />}
      <Loaded query={snapshots}>
        {(list) => (
          <SnapshotTable
            list={list}
            onLoad={(name) => setAsked({ what: 'load', name })}
            onRemove={(name) => void remove.run(name)}
          />
        )}
      </Loaded>
      {asked !== undefined && <AskDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}

function SaveCard({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const save = useAction(
    async () => {
      await cloud().orThrow.snapshotSave({ body: { name: name.trim() } })
      setName('')
      onDone()
    },
    () => operatorText('snapshotSaved', { name: name.trim() }),
  )
  return (
    <Card title={operatorText('saveSnapshot')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save.run()
        }}
      >
        <Field
          label={operatorText('snapshotName')}
          hint={operatorText('snapshotHint')}
          value={name}
          onInput={setName}
        />
        {save.error !== undefined && <ErrorBox error={save.error} />}
        <Button kind="primary" type="submit" isBusy={save.isBusy}>
          {operatorText('save')}
        </Button>
      </form>
    </Card>
  )
}

interface SnapshotTableProps {
  readonly list: readonly Snapshot[]
  readonly onLoad: (name: string) => void
  readonly onRemove: (name: string) => void
}

function SnapshotTable({ list, onLoad, onRemove }: SnapshotTableProps) {
  const actions = [
    ['load', onLoad],
    ['export', (name: string) => void download(name)],
    ['remove', onRemove],
  ] as const
  return (
    <Table
      caption={operatorText('snapshots')}
      rows={list}
      keyOf={({ name }) => name}
      empty={operatorText('noSnapshots')}
      columns={[
        { key: 'name', title: operatorText('name'), cell: ({ name }) => name },
        {
          ...{ key: 'saved', title: operatorText('saved') },
          cell: ({ created_at }) => formatTime(created_at),
        },
        {
          ...{ key: 'size', title: operatorText('size'), align: 'end' },
          cell: ({ bytes }) => formatBytes(bytes),
        },
        {
          ...{ key: 'actions', title: '', align: 'end' },
          cell: ({ name }) =>
            actions.map(([what, act]) => (
              <Button
                key={what}
                kind="quiet"
                label={`${operatorText(what)}: ${name}`}
                onClick={() => act(name)}
              >
                {operatorText(what)}
              </Button>
            )),
        },
      ]}
    />
  )
}

async function download(name: string): Promise<void> {
  const text = await cloud().orThrow.snapshotExport({ params: { name } })
  saveAs(`${name}.jsonl`, 'application/x-ndjson', String(text))
}

function AskDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const act = useAction(
    async () => {
      if (asked.what === 'reset') await cloud().orThrow.reset({ body: { to: 'world' } })
      else await cloud().orThrow.snapshotLoad({ params: { name: asked.name } })
    },
    () =>
      'name' in asked
        ? operatorText('snapshotLoaded', { name: asked.name })
        : operatorText('wasReset'),
  )
  return (
    <Confirm
      title={operatorText(`${asked.what}Title`, { name: 'name' in asked ? asked.name : '' })}
      submit={operatorText(asked.what)}
      action={act}
      onClose={onClose}
    >
      {asked.what === 'reset'
        ? operatorText('resetAsk')
        : operatorText('loadAsk', { name: asked.name })}
    </Confirm>
  )
}

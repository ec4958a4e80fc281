/** Brings a snapshot that was downloaded, here or elsewhere, back as a file. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Card } from '../../ui/page.tsx'
import { isSnapshotName, snapshotNameOf } from './snapshot-name.ts'
import { operatorText } from './texts.ts'

export function ImportCard({ onDone }: { onDone: () => void }) {
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setName(snapshotNameOf(chosen?.name ?? ''))
  }
  const bring = useAction(
    async () => {
      const params = { name: name.trim() }
      await cloud().orThrow.snapshotImport({ params, text: (await file?.text()) ?? '' })
      onDone()
    },
    () => operatorText('snapshotImported', { name: name.trim() }),
  )
  const reason =
    file === undefined
      ? operatorText('chooseFile')
      : isSnapshotName(name.trim())
        ? undefined
        : operatorText('snapshotHint')
  return (
    <Card title={operatorText('import')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === undefined) void bring.run()
        }}
      >
        <FileField label={operatorText('snapshotFile')} accept=".jsonl" onChoose={choose} />
        <Field label={operatorText('importName')} value={name} onInput={setName} />
        {bring.error !== undefined && <ErrorBox error={bring.error} />}
        <Button type="submit" isBusy={bring.isBusy} reason={reason}>
          {operatorText('import')}
        </Button>
      </form>
    </Card>
  )
}

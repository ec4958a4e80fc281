/** The labels that every item has: name, description, tags. */
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { tagsOf } from './register.ts'
import { simText } from './texts.ts'

export interface EditDialogProps {
  readonly id: string
  readonly onClose: () => void
  readonly onDone: () => void
}

export function EditDialog({ id, onClose, onDone }: EditDialogProps) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [tags, setTags] = useState('')
  const item = useQuery(
    async (signal) =>
      (await cloud().orThrow.itemRead({ params: { id } }, { signal })).CommonServiceItem,
    [id],
  )
  useEffect(() => {
    if (item.data === undefined) return
    setName(item.data.Name)
    setDescription(item.data.Description ?? '')
    setTags(item.data.Tags.join(', '))
  }, [item.data])
  const save = useAction(async () => {
    await cloud().orThrow.itemUpdate({
      params: { id },
      body: { CommonServiceItem: { Name: name, Description: description, Tags: tagsOf(tags) } },
    })
    onDone()
    onClose()
  }, simText('saved'))
  return (
    <Dialog
      title={simText('edit')}
      submit={simText('save')}
      isBusy={save.isBusy || item.data === undefined}
      error={save.error ?? item.error}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <Field label={simText('name')} value={name} onInput={setName} />
      <Field label={simText('description')} value={description} onInput={setDescription} rows={3} />
      <Field label={simText('tags')} hint={simText('tagsHint')} value={tags} onInput={setTags} />
    </Dialog>
  )
}

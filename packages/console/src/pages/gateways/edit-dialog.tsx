import type { Appliance } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { tagsOf } from '../sims/register.ts'
import { gatewayText } from './texts.ts'

export interface EditDialogProps {
  readonly gateway: Appliance
  readonly onClose: () => void
  readonly onDone: () => void
}

export function EditDialog({ gateway, onClose, onDone }: EditDialogProps) {
  const [name, setName] = useState(gateway.Name)
  const [description, setDescription] = useState(gateway.Description)
  const [tags, setTags] = useState(gateway.Tags.join(', '))
  const save = useAction(async () => {
    await cloud().orThrow.gatewayUpdate({
      params: { appliance_id: gateway.ID },
      body: { Appliance: { Name: name, Description: description, Tags: tagsOf(tags) } },
    })
    onDone()
    onClose()
  }, gatewayText('saved'))
  return (
    <Dialog
      title={gatewayText('edit')}
      submit={gatewayText('save')}
      isBusy={save.isBusy}
      error={save.error}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <Field label={gatewayText('name')} value={name} onInput={setName} />
      <Field
        label={gatewayText('description')}
        value={description}
        onInput={setDescription}
        rows={3}
      />
      <Field
        label={gatewayText('tags')}
        hint={gatewayText('tagsHint')}
        value={tags}
        onInput={setTags}
      />
    </Dialog>
  )
}

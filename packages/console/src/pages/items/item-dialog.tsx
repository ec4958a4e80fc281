/** Makes or changes what projects and message services have in common: name, description, tags. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { Item } from './items.ts'
import { itemText } from './texts.ts'

const NAME_LENGTH_MAX = 64

export interface ItemDialogProps {
  readonly title: string
  /** Of the provider, when one is made. */
  readonly class: string
  /** The one that is changed; without it a new one is made. */
  readonly item?: Item
  readonly onClose: () => void
  readonly onDone: (id: string) => void
}

export function ItemDialog({
  title,
  class: providerClass,
  item,
  onClose,
  onDone,
}: ItemDialogProps) {
  const [name, setName] = useState(item?.Name ?? '')
  const [description, setDescription] = useState(item?.Description ?? '')
  const [tags, setTags] = useState(item?.Tags?.join(', ') ?? '')
  const write = useAction(
    async () => {
      const fields = { Name: name.trim(), Description: description, Tags: tagsOf(tags) }
      const { CommonServiceItem } =
        item?.ID === undefined
          ? await cloud().orThrow.itemCreate({
              body: { CommonServiceItem: { ...fields, Provider: { Class: providerClass } } },
            })
          : await cloud().orThrow.itemUpdate({
              params: { id: item.ID },
              body: { CommonServiceItem: fields },
            })
      onDone(CommonServiceItem.ID)
    },
    itemText(item === undefined ? 'createdAs' : 'savedAs', { name: name.trim() }),
  )
  return (
    <Dialog
      title={title}
      submit={itemText(item === undefined ? 'create' : 'save')}
      onSubmit={() => void write.run()}
      onClose={onClose}
      isBusy={write.isBusy}
      error={write.error}
      reason={nameProblem(name)}
    >
      <Field label={itemText('name')} value={name} onInput={setName} isRequired />
      <Field
        label={itemText('description')}
        value={description}
        onInput={setDescription}
        rows={2}
      />
      <Field label={itemText('tags')} value={tags} onInput={setTags} hint={itemText('tagsHint')} />
    </Dialog>
  )
}

function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return itemText('nameNeeded')
  const isLong = [...name.trim()].length > NAME_LENGTH_MAX
  return isLong ? itemText('nameLong', { max: NAME_LENGTH_MAX }) : undefined
}

function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { itemText } from '../items/texts.ts'
import { ADAPTER_TYPES, type AdapterType, typeHint, typeName } from './adapters.ts'
import { iotText } from './texts.ts'

export interface AdapterDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  readonly onDone: () => void
}

export function AdapterDialog({ projectId, onClose, onDone }: AdapterDialogProps) {
  const [type, setType] = useState<AdapterType>('websocket')
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  const [url, setUrl] = useState('')
  const create = useAction(async () => {
    const own = {
      ...(secret !== '' && { secret }),
      ...(type === 'outgoing-webhook' && { url: url.trim() }),
    }
    await cloud().orThrow.adapterCreate({
      params: { project_id: projectId },
      body: {
        IoTPlatform: {
          ...{ type, name: name.trim() },
          ...(type !== 'websocket' && { settings: { [type]: own } }),
        },
      },
    })
    onDone()
  }, itemText('created'))
  return (
    <Dialog
      title={iotText('createAdapter')}
      submit={itemText('create')}
      onSubmit={() => void create.run()}
      onClose={onClose}
      isBusy={create.isBusy}
      error={create.error}
      reason={problemOf(type, name, secret, url)}
    >
      <Select
        label={iotText('type')}
        value={type}
        onChange={setType}
        options={ADAPTER_TYPES.map((one) => [one, typeName(one)] as const)}
        hint={typeHint(type)}
      />
      <Field label={itemText('name')} value={name} onInput={setName} isRequired />
      {type === 'outgoing-webhook' && (
        <Field
          label={iotText('target')}
          value={url}
          onInput={setUrl}
          placeholder="https://"
          isRequired
        />
      )}
      {type !== 'websocket' && (
        <Field
          label={iotText('secret')}
          value={secret}
          onInput={setSecret}
          hint={iotText('secretHint')}
          isMono
        />
      )}
    </Dialog>
  )
}

function problemOf(
  type: AdapterType,
  name: string,
  secret: string,
  url: string,
): string | undefined {
  if (name.trim() === '') return itemText('nameNeeded')
  if ([...name.trim()].length > 64) return itemText('nameLong', { max: 64 })
  if (type !== 'websocket' && !/^[A-Za-z0-9]{0,64}$/.test(secret)) return iotText('secretWrong')
  const isAddress = /^https?:\/\//.test(url.trim()) && URL.canParse(url.trim())
  return type === 'outgoing-webhook' && !isAddress ? iotText('targetWrong') : undefined
}

import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { navigate } from '../../router.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { registerSim, tagsOf } from './register.ts'
import { simText } from './texts.ts'

export function RegisterDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [iccid, setIccid] = useState('')
  const [passCode, setPassCode] = useState('')
  const [name, setName] = useState('')
  const [tags, setTags] = useState('')
  const register = useAction(async () => {
    const id = await registerSim({ iccid: iccid.trim(), passCode, name, tags: tagsOf(tags) })
    onDone()
    onClose()
    navigate(`/sims/${id}`)
  }, simText('registerDone'))
  const isMissing = iccid === '' || passCode === ''
  return (
    <Dialog
      title={simText('register')}
      submit={simText('submitRegister')}
      onSubmit={() => void register.run()}
      onClose={onClose}
      isBusy={register.isBusy}
      error={register.error}
      reason={isMissing ? simText('missing') : undefined}
    >
      <Field
        label={simText('iccid')}
        hint={simText('iccidHint')}
        value={iccid}
        onInput={setIccid}
        isMono
      />
      <Field label={simText('passCode')} value={passCode} onInput={setPassCode} isMono />
      <Field label={simText('name')} value={name} onInput={setName} />
      <Field label={simText('tags')} hint={simText('tagsHint')} value={tags} onInput={setTags} />
    </Dialog>
  )
}

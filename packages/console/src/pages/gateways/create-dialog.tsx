/** Creates a gateway and stays open, with its progress, until it is available. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { wait } from '../../data/wait.ts'
import { navigate } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { tagsOf } from '../sims/register.ts'
import { gatewayText } from './texts.ts'

/** The plan of the interface's gateways. */
const PLAN = 2
const LOOK_MS = 700

export function CreateDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [tags, setTags] = useState('')
  const [internet, setInternet] = useState(true)
  const [devices, setDevices] = useState(false)
  const create = useAction(async () => {
    const { Appliance } = await cloud().orThrow.gatewayCreate({
      body: {
        Appliance: {
          ...{ Class: 'mobilegateway', Name: name, Description: description, Tags: tagsOf(tags) },
          Plan: { ID: PLAN },
          Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
          Settings: {
            MobileGateway: {
              InternetConnection: { Enabled: internet ? 'True' : 'False' },
              InterDeviceCommunication: { Enabled: devices ? 'True' : 'False' },
            },
          },
        },
      },
    })
    onDone()
    await untilAvailable(Appliance.ID)
    onClose()
    navigate(`/gateways/${Appliance.ID}`)
  }, gatewayText('made'))
  return (
    <Dialog
      title={gatewayText('create')}
      submit={gatewayText('submitCreate')}
      onSubmit={() => void create.run()}
      onClose={onClose}
      isBusy={create.isBusy}
      error={create.error}
    >
      <Field label={gatewayText('name')} value={name} onInput={setName} />
      <Field label={gatewayText('description')} value={description} onInput={setDescription} />
      <Field
        label={gatewayText('tags')}
        hint={gatewayText('tagsHint')}
        value={tags}
        onInput={setTags}
      />
      <Check label={gatewayText('internet')} isChecked={internet} onChange={setInternet} />
      <Check label={gatewayText('devices')} isChecked={devices} onChange={setDevices} />
      {create.isBusy && <Progress label={gatewayText('making')} text={gatewayText('making')} />}
    </Dialog>
  )
}

async function untilAvailable(id: string): Promise<void> {
  for (;;) {
    const { Appliance } = await cloud().orThrow.gatewayRead({ params: { appliance_id: id } })
    if (Appliance.Availability === 'available') return
    await wait(LOOK_MS, new AbortController().signal)
  }
}

/** One SIM: its state, what may be done with it, and what the network has made of it. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { navigate, setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { simReason } from './allowed.ts'
import { EditDialog } from './edit-dialog.tsx'
import type { SimPart } from './sim.ts'
import { SimElement } from './sim-element.tsx'
import { SimNetwork } from './sim-network.tsx'
import { SimRefusals } from './sim-refusals.tsx'
import { SimSessions } from './sim-sessions.tsx'
import { SimState } from './sim-state.tsx'
import { SimTraffic } from './sim-traffic.tsx'
import { simText } from './texts.ts'

const EVERY_MS = 5000

export function SimPage({ params: { id = '' }, query }: PageInput) {
  const item = useQuery(
    async (signal) =>
      (await cloud().orThrow.itemRead({ params: { id } }, { signal })).CommonServiceItem,
    [id],
  )
  const status = useQuery(
    async (signal) => (await cloud().orThrow.simStatus({ params: { sim_id: id } }, { signal })).sim,
    [id],
    { everyMs: EVERY_MS },
  )
  const name = item.data?.Name || id
  return (
    <Page
      title={name}
      note={<a href="#/sims">{simText('back')}</a>}
      actions={
        status.data !== undefined && (
          <Actions sim={status.data} name={name} onChange={status.reload} onEdit={item.reload} />
        )
      }
    >
      <Loaded query={status}>
        {(sim) => (
          <Tabs
            label={name}
            current={query.tab}
            onChange={(tab) => setQuery({ tab })}
            tabs={tabsOf({ sim, onChange: status.reload }, item.data?.Tags ?? [], query)}
          />
        )}
      </Loaded>
    </Page>
  )
}

function tabsOf(part: SimPart, tags: readonly string[], query: PageInput['query']) {
  return [
    {
      ...{ key: 'state', title: simText('overview') },
      body: () => (
        <>
          <SimState sim={part.sim} tags={tags} />
          <SimElement id={part.sim.resource_id} />
        </>
      ),
    },
    {
      ...{ key: 'traffic', title: simText('traffic') },
      body: () => <SimTraffic id={part.sim.resource_id} range={query.range} />,
    },
    {
      ...{ key: 'sessions', title: simText('sessions') },
      body: () => <SimSessions id={part.sim.resource_id} />,
    },
    { key: 'network', title: simText('network'), body: () => <SimNetwork {...part} /> },
    {
      ...{ key: 'refused', title: simText('refused') },
      body: () => <SimRefusals iccid={part.sim.iccid} />,
    },
  ]
}

type Asked = 'edit' | 'deactivate' | 'remove' | undefined

function Actions(props: SimPart & { name: string; onEdit: () => void }) {
  const { sim, name, onChange, onEdit } = props
  const params = { sim_id: sim.resource_id }
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const denied = useLevelReason('arrange')
  const deletion = useLevelReason('create')
  const activate = useAction(async () => {
    await cloud().orThrow.simActivate({ params })
    onChange()
  }, simText('activated'))
  const reconnect = useAction(async () => {
    await cloud().orThrow.simReconnect({ params })
    onChange()
  }, simText('reconnected'))
  return (
    <>
      <Button
        kind="primary"
        isBusy={activate.isBusy}
        reason={denied ?? simReason('activate', sim)}
        onClick={() => void activate.run()}
      >
        {simText('activate')}
      </Button>
      <Button
        reason={denied ?? simReason('deactivate', sim)}
        onClick={() => setAsked('deactivate')}
      >
        {simText('deactivate')}
      </Button>
      <Button
        isBusy={reconnect.isBusy}
        reason={denied ?? simReason('reconnect', sim)}
        onClick={() => void reconnect.run()}
      >
        {simText('reconnect')}
      </Button>
      <Button reason={denied} onClick={() => setAsked('edit')}>
        {simText('edit')}
      </Button>
      <Button kind="danger" reason={deletion} onClick={() => setAsked('remove')}>
        {simText('remove')}
      </Button>
      {[activate.error, reconnect.error].map(
        (error, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />,
      )}
      {asked === 'edit' && <EditDialog id={sim.resource_id} onClose={close} onDone={onEdit} />}
      {asked === 'deactivate' && <DeactivateDialog sim={sim} onChange={onChange} onClose={close} />}
      {asked === 'remove' && <RemoveDialog id={sim.resource_id} name={name} onClose={close} />}
    </>
  )
}

function DeactivateDialog({ sim, onChange, onClose }: SimPart & { onClose: () => void }) {
  const deactivate = useAction(async () => {
    await cloud().orThrow.simDeactivate({ params: { sim_id: sim.resource_id } })
    onChange()
    onClose()
  }, simText('deactivated'))
  return (
    <Dialog
      title={simText('deactivateTitle')}
      submit={simText('deactivate')}
      isDangerous
      isBusy={deactivate.isBusy}
      error={deactivate.error}
      onSubmit={() => void deactivate.run()}
      onClose={onClose}
    >
      <p>{simText('deactivateAsk')}</p>
    </Dialog>
  )
}

function RemoveDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const remove = useAction(async () => {
    await cloud().orThrow.itemDelete({ params: { id } })
    navigate('/sims')
  }, simText('removed'))
  return (
    <Dialog
      title={simText('removeTitle', { name })}
      submit={simText('remove')}
      isDangerous
      isBusy={remove.isBusy}
      error={remove.error}
      onSubmit={() => void remove.run()}
      onClose={onClose}
    >
      <p>{simText('removeAsk', { name })}</p>
    </Dialog>
  )
}

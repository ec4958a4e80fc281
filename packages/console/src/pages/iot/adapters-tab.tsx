/** Service adapters, with the addresses and tokens that others need. */
import type { AdapterCreateIoTPlatform as Adapter } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { itemText } from '../items/texts.ts'
import { AdapterDialog } from './adapter-dialog.tsx'
import { typeName } from './adapters.ts'
import type { PartProps } from './project.ts'
import { iotText } from './texts.ts'

export function AdaptersTab({ project, access, reload }: PartProps) {
  const [isMaking, setMaking] = useState(false)
  const denied = levelReason(access, 'arrange')
  return (
    <>
      <div class="row">
        <Button kind="primary" onClick={() => setMaking(true)} reason={denied}>
          {iotText('createAdapter')}
        </Button>
      </div>
      {project.adapters.length === 0 && <EmptyState title={iotText('noAdapters')} />}
      {project.adapters.map((adapter) => (
        <AdapterCard
          key={adapter.id}
          adapter={adapter}
          projectId={project.id}
          denied={denied}
          reload={reload}
        />
      ))}
      {isMaking && (
        <AdapterDialog
          projectId={project.id}
          onClose={() => setMaking(false)}
          onDone={() => {
            setMaking(false)
            reload()
          }}
        />
      )}
    </>
  )
}

interface AdapterCardProps {
  readonly adapter: Adapter
  readonly projectId: string
  readonly denied: string | undefined
  readonly reload: () => void
}

function AdapterCard({ adapter, projectId, denied, reload }: AdapterCardProps) {
  const [isAsking, setAsking] = useState(false)
  const remove = useAction(async () => {
    const params = { project_id: projectId, service_adapter_id: adapter.id }
    await cloud().orThrow.adapterDelete({ params })
    reload()
  }, itemText('deleted'))
  const title = adapter.name || adapter.id
  return (
    <Card
      title={title}
      actions={
        <Button
          kind="danger"
          label={`${itemText('delete')}: ${title}`}
          onClick={() => setAsking(true)}
          reason={denied}
        >
          {itemText('delete')}
        </Button>
      }
    >
      <Facts
        rows={[
          [iotText('type'), <Badge tone="info">{typeName(adapter.type)}</Badge>],
          [itemText('id'), <code>{adapter.id}</code>],
        ]}
      />
      <Labelled label={iotText('url')} value={adapter.url} of={title} />
      <Labelled label={iotText('token')} value={adapter.token} of={title} />
      {isAsking && (
        <Confirm
          title={itemText('deleteTitle', { name: title })}
          submit={itemText('delete')}
          action={remove}
          onClose={() => setAsking(false)}
        >
          {iotText('deleteAdapterNote')}
        </Confirm>
      )}
    </Card>
  )
}

function Labelled({ label, value, of }: { label: string; value: string; of: string }) {
  return (
    <div class="labelled">
      <span class="note">{label}</span>
      <CopyField label={`${label} (${of})`} value={value} />
    </div>
  )
}

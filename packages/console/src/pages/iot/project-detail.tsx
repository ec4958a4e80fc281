/** One project: its SIMs, its adapters, what goes through them, and its files. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { levelReason, useKey } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { navigate, setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ItemActions } from '../items/item-actions.tsx'
import { ItemDialog } from '../items/item-dialog.tsx'
import { itemText } from '../items/texts.ts'
import { AdaptersTab } from './adapters-tab.tsx'
import { projectAllowed } from './allowed.ts'
import { FilesTab } from './files-tab.tsx'
import { MessagesTab } from './messages-tab.tsx'
import { type Project, readProject } from './project.ts'
import { SimsTab } from './sims-tab.tsx'
import { iotText } from './texts.ts'
import { WebhooksTab } from './webhooks-tab.tsx'

export function ProjectDetail({ params, query }: PageInput) {
  const id = params.id ?? ''
  const project = useQuery((signal) => readProject(id, signal), [id])
  if (project.data === undefined) {
    return (
      <Page title={iotText('projects')}>
        <Loaded query={project}>{() => null}</Loaded>
      </Page>
    )
  }
  return <Shown project={project.data} tab={query.tab} query={query} reload={project.reload} />
}

interface ShownProps {
  readonly project: Project
  readonly tab: string | undefined
  readonly query: PageInput['query']
  readonly reload: () => void
}

function Shown({ project, tab, query, reload }: ShownProps) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const key = useKey().data
  const { id, item, sims, adapters } = project
  const remove = useAction(async () => {
    await cloud().orThrow.itemDelete({ params: { id } })
    navigate('/iot')
  }, itemText('deleted'))
  const counts = { sims: sims.length, adapters: adapters.length }
  const close = () => setOpen(undefined)
  return (
    <Page
      title={item.Name || id}
      note={item.Description || <code>{id}</code>}
      actions={
        <ItemActions
          arrange={levelReason(key, 'arrange')}
          denied={levelReason(key, 'create') ?? projectAllowed('delete', counts)}
          open={setOpen}
        />
      }
    >
      <Tabs
        label={iotText('parts')}
        current={tab}
        onChange={(next) => setQuery({ tab: next })}
        tabs={[
          tabOf('sims', () => <SimsTab project={project} access={key} reload={reload} />),
          tabOf('adapters', () => <AdaptersTab project={project} access={key} reload={reload} />),
          tabOf('messages', () => <MessagesTab project={project} device={query.device} />),
          tabOf('webhooks', () => <WebhooksTab project={project} query={query} />),
          tabOf('files', () => <FilesTab project={project} access={key} />),
        ]}
      />
      {open === 'edit' && (
        <ItemDialog
          title={iotText('editProject')}
          class="iotplatform"
          item={item}
          onClose={close}
          onDone={() => {
            close()
            reload()
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={itemText('deleteTitle', { name: item.Name || id })}
          submit={itemText('delete')}
          action={remove}
          onClose={close}
        >
          {itemText('deleteNote')}
        </Confirm>
      )}
    </Page>
  )
}

type TabKey = 'sims' | 'adapters' | 'messages' | 'webhooks' | 'files'

function tabOf(key: TabKey, body: () => preact.JSX.Element) {
  return { key, title: iotText(key), body }
}

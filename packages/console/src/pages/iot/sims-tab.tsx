/** The SIMs of a project: connect, give and take addresses, disconnect. */
import type { IoTPlatform as ProjectSim } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Table } from '../../ui/table.tsx'
import { itemText } from '../items/texts.ts'
import { simNames } from '../sims/sim-names.ts'
import { simAllowed } from './allowed.ts'
import { ConnectDialog } from './connect-dialog.tsx'
import type { PartProps } from './project.ts'
import { iotText } from './texts.ts'

export function SimsTab({ project, access, reload }: PartProps) {
  const [isConnecting, setConnecting] = useState(false)
  const ids = project.sims.map(({ sim_id }) => sim_id)
  const names = useQuery((signal) => simNames(ids, signal), [ids])
  const nameOf = (id: string) => names.data?.get(id) || id
  const act = useSimAction(project.id, nameOf, reload)
  const denied = levelReason(access, 'arrange')
  return (
    <>
      <div class="row">
        <Button kind="primary" onClick={() => setConnecting(true)} reason={denied}>
          {iotText('connectSim')}
        </Button>
      </div>
      {act.error !== undefined && <ErrorBox error={act.error} />}
      <Table
        caption={iotText('sims')}
        rows={project.sims}
        keyOf={({ sim_id }) => sim_id}
        empty={iotText('noSims')}
        columns={[
          {
            key: 'sim',
            title: iotText('sim'),
            cell: ({ sim_id }) => <a href={`#/sims/${sim_id}`}>{nameOf(sim_id)}</a>,
          },
          {
            key: 'device',
            title: iotText('device'),
            cell: ({ device_id }) => <code>{device_id}</code>,
          },
          {
            key: 'ip',
            title: iotText('ip'),
            cell: ({ ip_address }) => (ip_address === null ? '–' : <code>{ip_address}</code>),
          },
          {
            key: 'actions',
            title: itemText('actions'),
            cell: (sim) => <SimButtons sim={sim} denied={denied} act={act} />,
          },
        ]}
      />
      {isConnecting && (
        <ConnectDialog
          project={project}
          onClose={() => setConnecting(false)}
          onDone={() => {
            setConnecting(false)
            reload()
          }}
        />
      )}
    </>
  )
}

type SimActionName = 'setIp' | 'releaseIp' | 'disconnect'

function useSimAction(projectId: string, nameOf: (id: string) => string, reload: () => void) {
  return useAction(
    async (name: SimActionName, { sim_id }: ProjectSim) => {
      const calls = cloud().orThrow
      const call = {
        setIp: calls.projectSimIpSet,
        releaseIp: calls.projectSimIpRelease,
        disconnect: calls.projectSimDisconnect,
      }[name]
      await call({ params: { project_id: projectId, sim_id } })
      reload()
    },
    (name, { sim_id }) => iotText(`done_${name}`, { sim: nameOf(sim_id) }),
  )
}

interface SimButtonsProps {
  readonly sim: ProjectSim
  readonly denied: string | undefined
  readonly act: ReturnType<typeof useSimAction>
}

function SimButtons({ sim, denied, act }: SimButtonsProps) {
  return (
    <span class="row">
      {(['setIp', 'releaseIp', 'disconnect'] as const).map((name) => (
        <Button
          key={name}
          isBusy={act.isBusy}
          reason={denied ?? simAllowed(name, sim)}
          onClick={() => void act.run(name, sim)}
        >
          {iotText(name)}
        </Button>
      ))}
    </span>
  )
}

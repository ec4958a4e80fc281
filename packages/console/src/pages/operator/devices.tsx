/** The bench: the reader is the device. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { reasonFor, remedyFor } from '../sims/remedies.ts'
import { namesByIccid } from '../sims/sim-names.ts'
import { CarrierField } from './carrier-field.tsx'
import { networkText } from './network-texts.ts'
import { operatorText } from './texts.ts'

export function Devices({ query }: PageInput) {
  const sessions = useQuery(
    async (signal) => {
      const { sessions } = await cloud().orThrow.sessionList({ search: { Count: 100 } }, { signal })
      const names = await namesByIccid(
        sessions.map(({ iccid }) => iccid),
        signal,
      )
      return sessions.map((one) => ({ ...one, name: names.get(one.iccid) ?? '' }))
    },
    [],
    { everyMs: 3000 },
  )
  return (
    <Page title={operatorText('devices')} note={operatorText('devicesNote')}>
      <Bench iccid={query.iccid ?? ''} onDone={sessions.reload} />
      <Card title={operatorText('sessions')}>
        <Loaded query={sessions}>
          {(rows) => (
            <Table
              caption={operatorText('sessions')}
              rows={rows}
              keyOf={({ iccid }) => iccid}
              empty={operatorText('noSessions')}
              columns={[
                {
                  ...{ key: 'sim', title: operatorText('sim') },
                  cell: ({ iccid, name }) => (
                    <>
                      <button type="button" class="link" onClick={() => setQuery({ iccid })}>
                        {name || <code>{iccid}</code>}
                      </button>
                      {name !== '' && <div class="note mono">{iccid}</div>}
                    </>
                  ),
                },
                { key: 'ip', title: 'IP', cell: ({ ip }) => <code>{ip}</code> },
                {
                  key: 'imei',
                  title: operatorText('imei'),
                  cell: ({ imei }) => <code>{imei}</code>,
                },
                { key: 'carrier', title: operatorText('carrier'), cell: ({ carrier }) => carrier },
                {
                  ...{ key: 'element', title: networkText('element') },
                  cell: ({ element = '–' }) => element,
                },
                {
                  ...{ key: 'since', title: operatorText('since') },
                  cell: ({ since }) => formatTime(since),
                },
                {
                  ...{ key: 'traffic', title: operatorText('traffic'), align: 'end' },
                  cell: ({ uplink_bytes, downlink_bytes }) =>
                    `↑ ${formatBytes(uplink_bytes)} ↓ ${formatBytes(downlink_bytes)}`,
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function Bench({ iccid, onDone }: { iccid: string; onDone: () => void }) {
  const [imei, setImei] = useState('350000000000001')
  const [carrier, setCarrier] = useState('carrier-a')
  const [outcome, setOutcome] = useState('')
  const params = { iccid: iccid.trim() }
  const attach = useAction(async () => {
    const body = { imei: imei.trim(), carrier: carrier.trim() }
    const answer = await cloud().orThrow.deviceAttach({ params, body })
    const reason = `${reasonFor(answer.reason ?? '')} ${remedyFor(answer.reason ?? '')}`
    setOutcome(
      answer.accepted
        ? operatorText('accepted', { ip: answer.ip ?? '–' })
        : operatorText('refused', { reason }),
    )
    onDone()
  })
  const detach = useAction(async () => {
    await cloud().orThrow.deviceDetach({ params })
    setOutcome('')
    onDone()
  }, operatorText('detached'))
  return (
    <Card title={operatorText('bench')}>
      <div class="fields">
        <Field
          label={operatorText('iccid')}
          value={iccid}
          onInput={(next) => setQuery({ iccid: next })}
          isMono
        />
        <Field label={operatorText('imei')} value={imei} onInput={setImei} isMono />
        <CarrierField iccid={params.iccid} value={carrier} onChange={setCarrier} />
      </div>
      <div class="row">
        <Button kind="primary" isBusy={attach.isBusy} onClick={() => void attach.run()}>
          {operatorText('attach')}
        </Button>
        <Button isBusy={detach.isBusy} onClick={() => void detach.run()}>
          {operatorText('detach')}
        </Button>
      </div>
      <p role="status">{outcome}</p>
      {[attach.error, detach.error].map(
        (error, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />,
      )}
      <Traffic iccid={params.iccid} onDone={onDone} />
    </Card>
  )
}

function Traffic({ iccid, onDone }: { iccid: string; onDone: () => void }) {
  const [uplink, setUplink] = useState('1000')
  const [downlink, setDownlink] = useState('5000')
  const send = useAction(async () => {
    const body = { uplink_bytes: Number(uplink), downlink_bytes: Number(downlink) }
    await cloud().orThrow.deviceTraffic({ params: { iccid }, body })
    onDone()
  }, operatorText('trafficSent'))
  return (
    <>
      <div class="filters">
        <Field label={operatorText('uplink')} type="number" value={uplink} onInput={setUplink} />
        <Field
          label={operatorText('downlink')}
          type="number"
          value={downlink}
          onInput={setDownlink}
        />
        <Button isBusy={send.isBusy} onClick={() => void send.run()}>
          {operatorText('send')}
        </Button>
      </div>
      {send.error !== undefined && <ErrorBox error={send.error} />}
    </>
  )
}

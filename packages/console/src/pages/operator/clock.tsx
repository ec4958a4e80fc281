/** The clock in the hands of the reader. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { showToast } from '../../data/toasts.ts'
import { formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { clockReason } from './allowed.ts'
import { monthEndOf } from './month-end.ts'
import { operatorText } from './texts.ts'

interface ClockState {
  readonly mode: string
  readonly now: string
  readonly scale: number
  readonly timers: readonly { readonly name: string; readonly at: string }[]
}

type Work = (state: ClockState) => Promise<unknown>

async function readClock(signal: AbortSignal): Promise<ClockState> {
  const [clock, { timers }] = await Promise.all([
    cloud().orThrow.clockRead({}, { signal }),
    cloud().orThrow.clockTimers({}, { signal }),
  ])
  return { ...clock, timers: timers.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)) }
}

export function ClockPage() {
  const clock = useQuery(readClock, [], { everyMs: 1000 })
  const act = useAction(async (work: Work, state: ClockState) => {
    await work(state)
    clock.reload()
  })
  return (
    <Page title={operatorText('clock')}>
      {act.error !== undefined && <ErrorBox error={act.error} />}
      <Loaded query={clock}>
        {(state) => (
          <>
            <Controls
              state={state}
              isBusy={act.isBusy}
              onWork={(work) => void act.run(work, state)}
            />
            <Timers timers={state.timers} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const freeze: Work = () => cloud().orThrow.clockSet({ body: { mode: 'frozen' } })
const letRun: Work = () => cloud().orThrow.clockSet({ body: { mode: 'scaled', scale: 1 } })
const makeReal: Work = () => cloud().orThrow.clockSet({ body: { mode: 'real' } })

async function advance(body: { by: string } | { to: string }): Promise<void> {
  const { fired } = await cloud().orThrow.clockAdvance({ body })
  showToast(operatorText('fired', { count: fired.length }))
}

const toNextTimer: Work = async ({ timers: [next] }) => {
  if (next !== undefined) await advance({ to: next.at })
}

interface ControlsProps {
  readonly state: ClockState
  readonly isBusy: boolean
  readonly onWork: (work: Work) => void
}

function Controls({ state, isBusy, onWork }: ControlsProps) {
  const { mode, now, scale } = state
  const hasTimers = state.timers.length > 0
  const moves: readonly (readonly [string, Work, string | undefined])[] = [
    [operatorText('hour'), () => advance({ by: '1h' }), clockReason('advance', state)],
    [operatorText('day'), () => advance({ by: '1d' }), clockReason('advance', state)],
    [operatorText('nextTimer'), toNextTimer, clockReason('nextTimer', { mode, hasTimers })],
    [
      operatorText('monthEnd'),
      () => advance({ to: monthEndOf(now) }),
      clockReason('advance', state),
    ],
  ]
  return (
    <Card title={operatorText('clock')}>
      <p class="clock-face" role="timer">
        {formatTime(now)} <ModeBadge mode={mode} scale={scale} />
      </p>
      <div class="row">
        <Button
          isBusy={isBusy}
          reason={clockReason('freeze', state)}
          onClick={() => onWork(freeze)}
        >
          {operatorText('freeze')}
        </Button>
        <Button isBusy={isBusy} onClick={() => onWork(letRun)}>
          {operatorText('run')}
        </Button>
        <Button
          isBusy={isBusy}
          reason={clockReason('makeReal', state)}
          onClick={() => onWork(makeReal)}
        >
          {operatorText('makeReal')}
        </Button>
      </div>
      <div class="row">
        {moves.map(([title, work, reason]) => (
          <Button key={title} isBusy={isBusy} reason={reason} onClick={() => onWork(work)}>
            {title}
          </Button>
        ))}
      </div>
      <Speed onWork={onWork} isBusy={isBusy} />
    </Card>
  )
}

function Speed({ isBusy, onWork }: Omit<ControlsProps, 'state'>) {
  const [scale, setScale] = useState('60')
  const set: Work = () =>
    cloud().orThrow.clockSet({ body: { mode: 'scaled', scale: Number(scale) } })
  return (
    <div class="filters">
      <Field label={operatorText('scale')} type="number" value={scale} onInput={setScale} />
      <Button isBusy={isBusy} onClick={() => onWork(set)}>
        {operatorText('setScale')}
      </Button>
    </div>
  )
}

function ModeBadge({ mode, scale }: { mode: string; scale: number }) {
  if (mode === 'real') return <Badge tone="good">{operatorText('real')}</Badge>
  if (mode === 'frozen') return <Badge tone="info">{operatorText('frozen')}</Badge>
  return (
    <Badge tone="warn">
      {operatorText('scaled')} ×{scale}
    </Badge>
  )
}

function Timers({ timers }: { timers: ClockState['timers'] }) {
  return (
    <Card title={operatorText('timers')}>
      <Table
        caption={operatorText('timers')}
        rows={timers.map((timer, at) => ({ ...timer, key: `${timer.name} ${timer.at} ${at}` }))}
        keyOf={({ key }) => key}
        empty={operatorText('noTimers')}
        columns={[
          { key: 'due', title: operatorText('due'), cell: ({ at }) => formatTime(at) },
          { key: 'name', title: operatorText('name'), cell: ({ name }) => name },
        ]}
      />
    </Card>
  )
}

/** Many SIMs by CSV: each line is registered by itself and shows what came of it. */
import { RefusalError } from '@kumoi/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { parseCsv } from '../../csv.ts'
import { useLevelReason } from '../../key.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Table } from '../../ui/table.tsx'
import { type Registration, registerSim } from './register.ts'
import { simText } from './texts.ts'

interface Line extends Registration {
  readonly number: number
}

type Outcome = { readonly id: string } | { readonly refusal: string }

/** How many lines are under way at once. */
const AT_ONCE = 4

export function linesOf(text: string): Line[] {
  return parseCsv(text)
    .map(([iccid = '', passCode = '', name = '', ...tags], at) => ({
      ...{ number: at + 1, iccid, passCode, name },
      tags: tags.filter((tag) => tag !== ''),
    }))
    .filter(({ number, iccid }) => number > 1 || /\d/.test(iccid))
}

export function RegisterMany() {
  const [text, setText] = useState('')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])
  const lines = linesOf(text)
  const denied = useLevelReason('create')
  const run = async () => {
    setBusy(true)
    ending.current = new AbortController()
    const found = new Map<number, Outcome>()
    await registerLines(lines, ending.current.signal, (number, outcome) => {
      found.set(number, outcome)
      setOutcomes(new Map(found))
    })
    setBusy(false)
  }
  const failed = [...outcomes.values()].filter((outcome) => 'refusal' in outcome).length
  const counts = { done: outcomes.size, count: lines.length, failed }
  return (
    <Page title={simText('registerMany')} note={<a href="#/sims">{simText('back')}</a>}>
      <Card title={simText('csvCard')}>
        <FileField
          label={simText('csvFile')}
          accept=".csv,text/csv,text/plain"
          onChoose={(file) => void file?.text().then(setText)}
        />
        <Field
          label={simText('csv')}
          hint={simText('csvHint')}
          rows={8}
          value={text}
          onInput={setText}
          isMono
          placeholder="8981040000000001010,demo10,meter-10,meter"
        />
        <div class="row">
          <Button
            kind="primary"
            isBusy={isBusy}
            reason={denied ?? (lines.length === 0 ? simText('csvEmpty') : undefined)}
            onClick={() => void run()}
          >
            {simText('csvRun', { count: lines.length })}
          </Button>
        </div>
        {outcomes.size > 0 && (
          <Progress
            label={simText('registerMany')}
            value={outcomes.size}
            max={lines.length}
            text={simText('csvProgress', counts)}
          />
        )}
      </Card>
      {outcomes.size > 0 && <Results lines={lines} outcomes={outcomes} />}
    </Page>
  )
}

async function registerLines(
  lines: readonly Line[],
  signal: AbortSignal,
  tell: (number: number, outcome: Outcome) => void,
): Promise<void> {
  const waiting = [...lines]
  const worker = async () => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      if (signal.aborted) return
      try {
        tell(line.number, { id: await registerSim(line, signal) })
      } catch (error) {
        tell(line.number, { refusal: messageOf(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function messageOf(error: unknown): string {
  if (error instanceof RefusalError) return error.refusal.message
  return error instanceof Error ? error.message : String(error)
}

function Results(props: { lines: readonly Line[]; outcomes: ReadonlyMap<number, Outcome> }) {
  return (
    <Table
      caption={simText('result')}
      rows={props.lines}
      keyOf={({ number }) => String(number)}
      columns={[
        { key: 'line', title: simText('line'), align: 'end', cell: ({ number }) => number },
        { key: 'iccid', title: simText('iccid'), cell: ({ iccid }) => <code>{iccid}</code> },
        { key: 'name', title: simText('name'), cell: ({ name }) => name },
        {
          ...{ key: 'result', title: simText('result') },
          cell: ({ number }) => <Result outcome={props.outcomes.get(number)} />,
        },
      ]}
    />
  )
}

function Result({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return <Badge tone="calm">{simText('lineWaits')}</Badge>
  if ('refusal' in outcome) return <span class="note bad">{outcome.refusal}</span>
  return (
    <a href={`#/sims/${outcome.id}`}>
      <Badge tone="good">{simText('lineDone')}</Badge>
    </a>
  )
}

/**
 * Lines or bars over time, by uPlot, which is fetched only when a page draws one. What the picture shows is
 * said in words, too, and its numbers are in a table that opens below it.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { default as UPlot } from 'uplot'
import { useStore } from '../data/store.ts'
import { shade } from '../theme.ts'
import { dataOf, HEIGHT, optionsFor, timeText } from './chart-options.ts'
import type { ChartProps } from './chart-props.ts'
import { uiText } from './texts.ts'

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const seen = useStore(shade)
  const { times, series, span } = props
  useEffect(() => {
    const target = place.current
    if (target === null || times.length === 0) return
    let plot: UPlot | undefined
    let isGone = false
    const fit = new ResizeObserver(() => {
      plot?.setSize({ width: target.clientWidth, height: HEIGHT })
    })
    void import('uplot').then(({ default: Plot }) => {
      if (isGone) return
      plot = new Plot(optionsFor(props, Plot, target.clientWidth), dataOf(props), target)
      fit.observe(target)
    })
    return () => {
      isGone = true
      fit.disconnect()
      plot?.destroy()
    }
  }, [times, series, seen])
  if (times.length === 0) return <p class="note">{uiText('noData')}</p>
  return (
    <figure class="chart">
      <div class="chart-place" ref={place} role="img" aria-label={props.label} />
      {span?.runningFrom !== undefined && (
        <p class="note running">
          <span class="running-mark" aria-hidden="true" /> {uiText('running')}
        </p>
      )}
      <Numbers {...props} />
    </figure>
  )
}

/** Drawn when it is opened: a month in steps of five minutes has thousands of rows. */
function Numbers(props: ChartProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{uiText('asTable')}</summary>
      {isOpen && <NumbersTable {...props} />}
    </details>
  )
}

function NumbersTable(props: ChartProps) {
  const { label, times, series, format } = props
  const rows = [...times.keys()].filter((at) => series.some(({ values }) => values[at]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus.
    <section class="numbers-body" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {series.map(({ name }) => (
              <th key={name} scope="col" class="end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((at) => (
            <tr key={at}>
              <th scope="row">{timeText(props, times[at] ?? 0)}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="end">
                  {values[at] == null ? '–' : format(values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < times.length && <p class="note">{uiText('othersZero')}</p>}
    </section>
  )
}

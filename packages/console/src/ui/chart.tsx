/**
 * Lines or bars over time, by uPlot, which is fetched only when a page draws one. What the picture shows is
 * said in words, too, and its numbers are in a table that opens below it.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AlignedData, Options, default as UPlot } from 'uplot'
import { useStore } from '../data/store.ts'
import { formatTime } from '../format.ts'
import { language } from '../i18n.ts'
import { shade } from '../theme.ts'
import { uiText } from './texts.ts'

export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export interface ChartProps {
  /** What is shown, in a sentence. */
  readonly label: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly formatX?: (seconds: number) => string
  readonly kind?: 'line' | 'bars'
}

const HEIGHT = 220
const COLOURS = ['--chart-1', '--chart-2', '--chart-3'] as const

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const seen = useStore(shade)
  const { times, series } = props
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
      <div ref={place} role="img" aria-label={props.label} />
      <Numbers {...props} />
    </figure>
  )
}

function dataOf({ times, series }: ChartProps): AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])]
}

function optionsFor(props: ChartProps, Plot: typeof UPlot, width: number): Options {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => resolveColour(style.getPropertyValue(name))
  const { series, format, formatX, kind = 'line' } = props
  const axis = {
    stroke: colour('--text-soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  const bars = Plot.paths.bars
  return {
    width,
    height: HEIGHT,
    cursor: { y: false },
    // All times are those of the interface, which are Japan's.
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Asia/Tokyo'),
    scales: {
      ...(kind === 'bars' && { x: { range: aroundBars(props.times) } }),
      y: { range: (_self, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      // Room for the words of a month, also in Japanese.
      { ...axis, space: 76, values: (_self, ticks) => ticks.map(formatX ?? tickText(ticks)) },
      { ...axis, size: 84, values: (_self, ticks) => ticks.map(format) },
    ],
    series: [
      {
        label: uiText('time'),
        value: (_self, seconds) => (seconds == null ? '' : (formatX ?? atSecond)(seconds)),
      },
      ...series.map(({ name }, at) => ({
        label: name,
        stroke: colour(COLOURS[at % COLOURS.length] ?? '--chart-1'),
        width: 2,
        points: { show: false },
        ...(kind === 'bars' && {
          fill: colour(COLOURS[at % COLOURS.length] ?? '--chart-1'),
          ...(bars && { paths: bars({ size: [0.6, 60] }) }),
        }),
        value: (_self: UPlot, value: number | null) => (value == null ? '' : format(value)),
      })),
    ],
  }
}

const DAY_SECONDS = 86_400

/** Hours within a day; days, and no hours, when the marks are days apart. */
function tickText(ticks: readonly number[]): (seconds: number) => string {
  const isDays = (ticks[1] ?? 0) - (ticks[0] ?? 0) >= DAY_SECONDS
  const format = new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    timeZone: 'Asia/Tokyo',
    ...(isDays
      ? { month: 'short', day: 'numeric' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  })
  return (seconds) => format.format(seconds * 1000)
}

/** Half a step more on both sides, so that the first and the last bar are whole. */
function aroundBars(times: readonly number[]) {
  const half = ((times[1] ?? 0) - (times[0] ?? 0)) / 2
  return (_self: UPlot, min: number, max: number): [number, number] => [min - half, max + half]
}

const atSecond = (seconds: number) => formatTime(seconds * 1000)

/** A canvas does not know `light-dark()`, so the browser is asked what it comes to. */
function resolveColour(value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Drawn when it is opened: a month in steps of five minutes has thousands of rows. */
function Numbers(props: ChartProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{uiText('rows', { count: props.times.length })}</summary>
      {isOpen && <NumbersTable {...props} />}
    </details>
  )
}

function NumbersTable({ label, times, series, format, formatX = atSecond }: ChartProps) {
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
          {times.map((time, at) => (
            <tr key={time}>
              <th scope="row">{formatX(time)}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="end">
                  {values[at] == null ? '–' : format(values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

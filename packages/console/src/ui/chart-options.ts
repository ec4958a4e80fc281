/** How uPlot draws a chart: axes that begin at zero, fixed spans, times of Japan. */
import type { AlignedData, Options, default as UPlot } from 'uplot'
import { formatTime } from '../format.ts'
import { language } from '../i18n.ts'
import type { ChartProps } from './chart-props.ts'
import { uiText } from './texts.ts'

export const HEIGHT = 220
const COLOURS = ['--chart-1', '--chart-2', '--chart-3'] as const
/** Whole numbers only: half a byte or half a request is none. */
const STEPS = Array.from({ length: 15 }, (_, zeros) => [1, 2, 5].map((n) => n * 10 ** zeros)).flat()

export function dataOf({ times, series }: ChartProps): AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])]
}

export function optionsFor(props: ChartProps, Plot: typeof UPlot, width: number): Options {
  const colour = colours()
  const { series, format, formatX, kind = 'line' } = props
  const axis = {
    stroke: colour('--text-soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  return {
    width,
    height: HEIGHT,
    cursor: { y: false },
    // All times are those of the interface, which are Japan's.
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Asia/Tokyo'),
    scales: {
      x: { range: rangeOf(props) },
      y: { range: (_self, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    hooks: { drawClear: [(plot) => shadeRunning(plot, props, colour('--accent-soft'))] },
    axes: [
      // Room for the words of a month, also in Japanese.
      { ...axis, space: 76, values: (_self, ticks) => ticks.map(formatX ?? tickText(ticks)) },
      { ...axis, size: 84, incrs: STEPS, values: (_self, ticks) => ticks.map(format) },
    ],
    series: [
      {
        label: uiText('time'),
        value: (_self, seconds) => (seconds == null ? '' : timeText(props, seconds)),
      },
      ...series.map(({ name }, at) => ({
        label: name,
        ...lookOf(
          colour(COLOURS[at % COLOURS.length] ?? '--chart-1'),
          kind,
          series.length,
          at,
          Plot,
        ),
        value: (_self: UPlot, value: number | null) => (value == null ? '' : format(value)),
      })),
    ],
  }
}

/** A line over a soft area, or bars: those of several series stand side by side. */
function lookOf(
  stroke: string,
  kind: 'line' | 'bars',
  count: number,
  at: number,
  Plot: typeof UPlot,
) {
  const line = { stroke, width: 2, points: { show: false } }
  if (kind === 'line') return { ...line, fill: stroke.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.12)') }
  const size: [number, number] = count > 1 ? [0.38, 30] : [0.6, 60]
  const align = count > 1 ? (at === 0 ? -1 : 1) : 0
  const paths = Plot.paths.bars?.({ size, align })
  return { ...line, width: 0, fill: stroke, ...(paths && { paths }) }
}

function rangeOf({ span, times, kind }: ChartProps) {
  // Half a step more on both sides, so that the first and the last bar are whole.
  const half = kind === 'bars' ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0
  return (_self: UPlot, min: number, max: number): [number, number] =>
    span === undefined ? [min - half, max + half] : [span.from, span.to]
}

/** What is still being counted lies on another ground. */
function shadeRunning(plot: UPlot, { span }: ChartProps, colour: string): void {
  if (span?.runningFrom === undefined) return
  const left = plot.valToPos(span.runningFrom, 'x', true)
  const { top, height, left: edge, width } = plot.bbox
  const from = Math.max(edge, Math.min(left, edge + width - 5 * devicePixelRatio))
  plot.ctx.save()
  plot.ctx.fillStyle = colour
  plot.ctx.fillRect(from, top, edge + width - from, height)
  plot.ctx.restore()
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

/** The time of a step, and whether it is over. */
export function timeText({ formatX, span }: ChartProps, seconds: number): string {
  const text = formatX?.(seconds) ?? formatTime(seconds * 1000)
  const isRunning = span?.runningFrom !== undefined && seconds >= span.runningFrom
  return isRunning ? uiText('runningTime', { time: text }) : text
}

/** A canvas does not know `light-dark()`, so the browser is asked what it comes to. */
function colours(): (name: string) => string {
  const style = getComputedStyle(document.documentElement)
  return (name) => {
    const probe = document.createElement('span')
    probe.style.color = style.getPropertyValue(name)
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}

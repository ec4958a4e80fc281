/** Values over time as a line of blocks for each of them: enough to see when there was much of what. */
import { timeText } from './times.ts'

const BLOCKS = '▁▂▃▄▅▆▇█'
const WIDTH_MAX = 60

/** By time and name, as the interface gives metrics; undefined when there are none. */
export function formatChart(
  data: Readonly<Record<string, Readonly<Record<string, number | null>>>>,
  isUtc: boolean,
): string | undefined {
  const times = Object.keys(data).sort((a, b) => Date.parse(a) - Date.parse(b))
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const names = [...new Set(times.flatMap((time) => Object.keys(data[time] ?? {})))]
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => {
    const values = times.map((time) => data[time]?.[name] ?? 0)
    const most = Math.max(...values)
    const now = values.at(-1) ?? 0
    return `${name.padEnd(width)}  ${blocks(values, most)}  most ${short(most)}, last ${short(now)}\n`
  })
  const span = `${timeText(first, isUtc)} to ${timeText(last, isUtc)}`
  return `${lines.join('')}${' '.repeat(width)}  ${span}\n`
}

/** The largest of the values that share a place. */
function blocks(values: readonly number[], most: number): string {
  const width = Math.min(WIDTH_MAX, values.length)
  return Array.from({ length: width }, (_, at) => {
    const from = Math.floor((at * values.length) / width)
    const until = Math.floor(((at + 1) * values.length) / width)
    const value = Math.max(...values.slice(from, until))
    const height = most === 0 ? 0 : Math.round((value / most) * (BLOCKS.length - 1))
    return BLOCKS[height]
  }).join('')
}

function short(value: number): string {
  const unit = [
    [1e9, ' G'],
    [1e6, ' M'],
    [1e3, ' k'],
  ].find(([size]) => value >= Number(size))
  if (unit === undefined) return String(Math.round(value * 10) / 10)
  return `${(value / Number(unit[0])).toFixed(1)}${unit[1]}`
}

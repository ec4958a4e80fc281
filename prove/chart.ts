/** A chart of one value over time, as SVG that can be read in light and dark pages. */
import type { Chart } from './part.ts'

const WIDTH = 720
const HEIGHT = 200
const LEFT = 64
const BOTTOM = 24
const TOP = 28

export function chartOf({ title, unit, points }: Chart): string {
  const last = Math.max(1, ...points.map(([minutes]) => minutes))
  const most = niceAbove(Math.max(...points.map(([, value]) => value), 0))
  const x = (minutes: number) => round(LEFT + (minutes / last) * (WIDTH - LEFT - 8))
  const y = (value: number) => round(HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP))
  const path = points.map(([minutes, value]) => `${x(minutes)},${y(value)}`).join(' ')
  const grid = [0, most / 2, most].map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(value)}" y2="${y(value)}" stroke="#8884"/>` +
      `<text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${round(value)}</text>`,
  )
  const times = [0, last / 2, last].map(
    (minutes) =>
      `<text x="${x(minutes)}" y="${HEIGHT - 6}" text-anchor="${minutes === 0 ? 'start' : 'end'}">${round(minutes)} min</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#888">
<title>${title}</title>
<text x="8" y="16" font-size="13">${title} (${unit})</text>
${[...grid, ...times].join('\n')}
<polyline points="${path}" fill="none" stroke="#2a78c8" stroke-width="1.5"/>
</svg>
`
}

/** 1, 2 or 5 times a power of ten. */
function niceAbove(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

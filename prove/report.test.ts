import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chartOf } from './chart.ts'
import { PAGE, page } from './report.ts'

test('docs/reliability.md is what was kept of the parts (`npm run prove -- --page`)', () => {
  assert.equal(readFileSync(PAGE, 'utf8'), page())
})

test('a chart has every point inside of its frame, and round numbers beside it', () => {
  const svg = chartOf({
    ...{ name: 'x', title: 'Memory', unit: 'MiB' },
    points: [
      [0, 10],
      [30, 130],
      [60, 120],
    ],
  })
  const [, points = ''] = /points="([^"]*)"/.exec(svg) ?? []
  assert.deepEqual(points.split(' '), ['64,168.6', '388,79.8', '712,87.2'])
  for (const text of ['>0<', '>100<', '>200<', '>60 min<']) assert.ok(svg.includes(text), text)
})

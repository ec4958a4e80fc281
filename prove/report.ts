/** Keeps what the parts came to, and makes docs/reliability.md of it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chartOf } from './chart.ts'
import type { Kept, Part } from './part.ts'
import { parts } from './parts.ts'

const DOCS = new URL('../docs/', import.meta.url)
export const PAGE = fileURLToPath(new URL('reliability.md', DOCS))

const fileOf = ({ name }: Part) => new URL(`reliability/${name}.json`, DOCS)

export function keep(part: Part, kept: Kept): void {
  mkdirSync(new URL('reliability/', DOCS), { recursive: true })
  writeFileSync(fileOf(part), `${JSON.stringify(kept, null, 2)}\n`)
  for (const chart of kept.charts ?? []) {
    writeFileSync(new URL(`images/${chart.name}.svg`, DOCS), chartOf(chart))
  }
}

export function writePage(): void {
  writeFileSync(PAGE, page())
}

/** From what is kept. */
export function page(): string {
  const head = `# Reliability

What this project claims, and how hard it was tried to break it: \`npm run prove\` takes about two hours on two cores and
writes this page. A sample of each part is in \`npm test\`. The seeds repeat what does not depend on the machine.
`
  return [head, ...parts.map(sectionOf)].join('\n')
}

function sectionOf(part: Part): string {
  const file = fileOf(part)
  const title = `## ${part.title}\n\n${part.claim}\n`
  if (!existsSync(file)) return `${title}\nNot run at full size yet.\n`
  const kept: Kept = JSON.parse(readFileSync(file, 'utf8'))
  const { seed, commit, date, minutes, figures, violations, charts = [] } = kept
  const rows = figures.map(({ name, value }) => `| ${name} | ${grouped(value)} |\n`).join('')
  const count = violations.length === 1 ? 'One violation' : `${violations.length} violations`
  const found =
    violations.length === 0
      ? 'No violation. '
      : `${count}:\n\n${violations.map((one) => `- ${one}\n`).join('')}\n`
  const images = charts.map((chart) => `\n![${chart.title}](images/${chart.name}.svg)\n`).join('')
  return `${title}
${found}Commit ${commit}, ${date}, ${minutes.toFixed(1)} minutes.

\`\`\`console
$ npm run prove -- --only ${part.name} --seed ${seed}
\`\`\`

| | |
|---|---|
${rows}${images}`
}

/** With commas between the thousands of whole numbers. */
function grouped(value: string): string {
  return value.replace(/(?<![\d.])\d{4,}/g, (digits) => Number(digits).toLocaleString('en-GB'))
}

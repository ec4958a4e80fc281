/**
 * A real spreadsheet program for the tests: LibreOffice opens a CSV file and writes what it has
 * understood. Debian's package is installed when it is missing and we may, which takes a quarter of a
 * minute.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage } from './debian.ts'

export interface Cell {
  readonly text: string
  /** What the program would compute; undefined for a plain text or number. */
  readonly formula: string | undefined
}

/** UTF-8, commas, quotes, from the first line on, numbers recognised, formulas evaluated. */
const FILTER = 'Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,0,true'

/** Undefined, with one printed line, when there is no LibreOffice and none can be had. */
export function findSpreadsheet(): string | undefined {
  const found = programs() ?? install()
  if (found === undefined) {
    console.log(
      'LibreOffice is missing (Debian: apt-get install libreoffice-calc): no CSV is opened.',
    )
  }
  return found
}

function programs(): string | undefined {
  return ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path))
}

function install(): string | undefined {
  installPackage('libreoffice-calc')
  return programs()
}

/** The rows of the sheet, without what is empty at their ends. */
export function openCsv(program: string, csv: string): Cell[][] {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-sheet-'))
  try {
    const file = join(folder, 'bill.csv')
    writeFileSync(file, csv)
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    const flags = [profile, '--headless', `--infilter=${FILTER}`, '--convert-to', 'fods']
    const options = { stdio: 'ignore', env: { ...process.env, HOME: folder } } as const
    execFileSync(program, [...flags, '--outdir', folder, file], options)
    return readSheet(readFileSync(join(folder, 'bill.fods'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Just enough of the program's flat XML to read back a table of texts. */
function readSheet(xml: string): Cell[][] {
  const rows = xml.match(/<table:table-row\b.*?<\/table:table-row>/gs) ?? []
  return rows.map((row) => {
    const cells = row.match(/<table:table-cell\b[^>]*?(\/>|>.*?<\/table:table-cell>)/gs) ?? []
    return cells.flatMap((cell) => {
      const repeated = Number(/number-columns-repeated="(\d+)"/.exec(cell)?.[1] ?? 1)
      const formula = /table:formula="([^"]*)"/.exec(cell)?.[1]
      // A row ends in one cell that stands for all that are empty up to the edge of the sheet.
      return repeated > 100 ? [] : Array<Cell>(repeated).fill({ text: textOf(cell), formula })
    })
  })
}

/** A line of a cell is a paragraph of its own. */
function textOf(cell: string): string {
  const lines = cell.match(/<text:p>.*?<\/text:p>|<text:p\/>/gs) ?? []
  const spaces = (_all: string, count: string | undefined) => ' '.repeat(Number(count ?? 1))
  return lines
    .map((line) =>
      line
        .replaceAll(/<text:s(?: text:c="(\d+)")?\/>/g, spaces)
        .replaceAll('<text:tab/>', '\t')
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&apos;', "'")
        .replaceAll('&amp;', '&'),
    )
    .join('\n')
}

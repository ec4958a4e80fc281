/** How far a long thing has come, on standard error, for people alone: a terminal sees it, a file does not. */
const WIDTH = 24

export interface Progress {
  bytes(done: number, total: number | undefined): void
  text(message: string): void
  end(): void
}

export function startProgress(label: string, stream = process.stderr): Progress {
  if (!stream.isTTY) return { bytes: () => undefined, text: () => undefined, end: () => undefined }
  let shown = ''
  const show = (message: string) => {
    const line = `${label} ${message}`
    if (line === shown) return
    shown = line
    stream.write(`\r\u001b[K${line}`)
  }
  return {
    bytes: (done, total) => show(barText(done, total)),
    text: show,
    end: () => {
      if (shown !== '') stream.write('\r\u001b[K')
    },
  }
}

export function barText(done: number, total: number | undefined): string {
  if (total === undefined) return sizeText(done)
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(part * WIDTH)
  const bar = `${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}`
  return `[${bar}] ${Math.floor(part * 100)}% of ${sizeText(total)}`
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

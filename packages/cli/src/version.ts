import { readFileSync } from 'node:fs'

export function ownVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  return String(Object(JSON.parse(readFileSync(file, 'utf8'))).version)
}

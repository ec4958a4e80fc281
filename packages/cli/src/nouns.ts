/** The nouns of the table, those of the kinds of items among them. */
import type { Command } from 'commander'
import { commands } from './generated/commands.ts'
import { GUIDES } from './guides.ts'
import { type KindEntry, withKinds } from './kinds.ts'

export interface Noun {
  readonly name: string
  readonly verbs: readonly string[]
}

/** An operation of one word is a command of its own (guides.ts). */
export function entries(): readonly KindEntry[] {
  return withKinds(commands).filter(({ verb }) => verb !== '')
}

export function nouns(): Noun[] {
  const byName = Map.groupBy(entries(), ({ noun }) => noun)
  return [...byName]
    .filter(([name]) => !GUIDES.some((guide) => guide.name === name))
    .map(([name, own]) => ({ name, verbs: own.map(({ verb }) => verb) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export async function addNoun(command: Command, noun: string): Promise<void> {
  const { addOperation } = await import('./operation-command.ts')
  command.usage('VERB …')
  for (const entry of entries()) if (entry.noun === noun) addOperation(command, entry)
}

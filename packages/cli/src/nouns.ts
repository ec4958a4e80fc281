/** The nouns of the table, those of the kinds of items among them. */
import type { Command } from 'commander'
import { commands } from './generated/commands.ts'
import { GUIDES } from './guides.ts'
import { type KindEntry, withKinds } from './kinds.ts'

/** An operation of one word is a command of its own (guides.ts). */
export function entries(): readonly KindEntry[] {
  return withKinds(commands).filter(({ verb }) => verb !== '')
}

export function nouns(): string[] {
  const names = new Set(entries().map(({ noun }) => noun))
  return [...names].filter((name) => !GUIDES.some((guide) => guide.name === name)).sort()
}

export async function addNoun(command: Command, noun: string): Promise<void> {
  const { addOperation } = await import('./operation-command.ts')
  command.usage('VERB …').helpCommand(false)
  for (const entry of entries()) {
    if (entry.noun === noun && entry.operation !== 'auditVerify') addOperation(command, entry)
  }
  if (noun !== 'audit') return
  // It also takes a file.
  const { addAuditVerify } = await import('./commands/audit-verify.ts')
  addAuditVerify(command)
}

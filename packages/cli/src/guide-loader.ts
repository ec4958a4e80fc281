/** Each command is loaded when it is called. */
import type { Command } from 'commander'
import type { GuideName } from './guides.ts'

/** `args` are all that was written, the name of the command first. */
type Add = (program: Command, args: readonly string[]) => void

export const LOADERS: Readonly<Record<GuideName, () => Promise<Add>>> = {
  serve: async () => (await import('./commands/serve.ts')).addServerCommand,
  edge: async () => (await import('./commands/serve.ts')).addServerCommand,
  exec: async () => (await import('./commands/exec.ts')).addExec,
  env: async () => (await import('./commands/env.ts')).addEnv,
  apply: async () => (await import('./commands/world.ts')).addApply,
  export: async () => (await import('./commands/world.ts')).addExport,
  reset: async () => (await import('./commands/world.ts')).addReset,
  backup: async () => (await import('./commands/serve.ts')).addServerCommand,
  restore: async () => (await import('./commands/serve.ts')).addServerCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  tail: async () => (await import('./commands/tail.ts')).addTail,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  radius: async () => (await import('./commands/radius.ts')).addRadius,
  completion: async () => (await import('./commands/completion.ts')).addCompletion,
}

/** The commands that are more than one operation. Each is loaded when it is called. */
import type { Command } from 'commander'

export interface Guide {
  readonly name: string
  readonly summary: string
  /** `args` are all that was written, the name of the command first. */
  add(program: Command, args: readonly string[]): Promise<void>
}

export const GUIDES: readonly Guide[] = [
  {
    name: 'serve',
    summary: 'start a server (kumoi serve --help lists its settings)',
    add: async (program, args) => (await import('./commands/serve.ts')).addServe(program, args),
  },
  {
    name: 'exec',
    summary: 'run a command with a server of its own, which ends with it',
    add: async (program, args) => (await import('./commands/exec.ts')).addExec(program, args),
  },
  {
    name: 'env',
    summary: 'print variables for clients: eval "$(kumoi env)"',
    add: async (program) => (await import('./commands/env.ts')).addEnv(program),
  },
  {
    name: 'apply',
    summary: 'apply world files',
    add: async (program) => (await import('./commands/world.ts')).addApply(program),
  },
  {
    name: 'export',
    summary: 'write the world as a file that can be applied again',
    add: async (program) => (await import('./commands/world.ts')).addExport(program),
  },
  {
    name: 'reset',
    summary: 'empty the server, or bring it back to its world or a snapshot',
    add: async (program) => (await import('./commands/world.ts')).addReset(program),
  },
  {
    name: 'tail',
    summary: 'follow what the server is asked',
    add: async (program) => (await import('./commands/tail.ts')).addTail(program),
  },
  {
    name: 'doctor',
    summary: 'find out why it does not work',
    add: async (program) => (await import('./commands/doctor.ts')).addDoctor(program),
  },
  {
    name: 'completion',
    summary: 'print completion for bash, zsh or fish',
    add: async (program) => (await import('./commands/completion.ts')).addCompletion(program),
  },
]

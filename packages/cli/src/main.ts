/** Finds the command, and loads only what it needs: `kumoi --help` must not wait for the rest. */
import type { RefusalError } from '@kumoi/client'
import { Command, CommanderError } from 'commander'
import { connectionFailure, EXIT, Failure, failureOf, oneLine, report } from './failure.ts'
import { flagsAfterVerb } from './global-flags.ts'
import { LOADERS } from './guide-loader.ts'
import { GUIDES } from './guides.ts'
import { ownVersion } from './version.ts'

export async function main(given: readonly string[]): Promise<number> {
  const args = flagsAfterVerb(given)
  const program = programFor()
  try {
    await addCommands(program, args)
    await program.parseAsync([...args], { from: 'user' })
    return EXIT.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    return report(readable(error))
  }
}

function programFor(): Command {
  return new Command('kumoi')
    .description(
      'Runs a cloud and talks to it. Every operation of the interface is a noun and a verb.',
    )
    .usage('COMMAND … | NOUN VERB …')
    .version(ownVersion(), '-v, --version', 'print the version of this program')
    .helpOption('-h, --help', 'print this')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(`kumoi: ${oneLine(text.replace(/^error: /, '').trim())} See --help.\n`),
    })
    .showHelpAfterError(false)
    .helpCommand(false)
}

/** Only the noun that is meant gets its verbs, and each verb its flags. */
async function addCommands(program: Command, args: readonly string[]): Promise<void> {
  const [first] = args
  const guide = GUIDES.find(({ name }) => name === first)
  if (guide !== undefined) {
    const add = await LOADERS[guide.name]()
    add(program, args)
    return
  }
  const { nouns, addNoun } = await import('./nouns.ts')
  const { NOUN_SUMMARIES } = await import('./noun-summaries.ts')
  program.commandsGroup('Commands:')
  for (const { name, summary } of GUIDES) program.command(name).description(summary)
  program.commandsGroup('Nouns (kumoi NOUN --help lists the verbs):')
  for (const noun of nouns()) {
    const command = program.command(noun).description(NOUN_SUMMARIES[noun] ?? '')
    if (noun === first) await addNoun(command, noun)
  }
  if (first === undefined) program.help({ error: true })
}

/** A refusal of a sequence, or a failed fetch, which says nothing by itself. */
function readable(error: unknown): unknown {
  if (error instanceof Failure) return error
  if (isRefusalError(error)) return failureOf(error.refusal)
  return connectionFailure(error) ?? error
}

/** By its name: to ask for its class would load the client, which most commands that fail never do. */
function isRefusalError(error: unknown): error is RefusalError {
  return error instanceof Error && error.name === 'RefusalError'
}

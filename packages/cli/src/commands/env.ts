import { type Command, Option } from 'commander'
import { readAddresses } from '../addresses.ts'
import { FORMATS, ownVariables, profileVariables } from '../environment.ts'
import { EXIT, Failure } from '../failure.ts'
import { DATA_FOLDER } from '../settings.ts'

export function addEnv(program: Command): void {
  program
    .command('env')
    .description('Prints variables for clients of the server on this machine: eval "$(kumoi env)"')
    .option('--data <DIR>', 'its data folder', process.env.KUMOI_DATA ?? DATA_FOLDER)
    .addOption(
      new Option('--format <FORMAT>', 'how').choices(Object.keys(FORMATS)).default('shell'),
    )
    .option('--for <PROFILE>', 'the clients of a profile of the server, instead of any')
    .action(({ data, format, for: target }) => {
      const addresses = readAddresses(data)
      if (addresses === undefined) {
        throw new Failure(
          `No server is running with the data folder ${data}.`,
          EXIT.noAnswer,
          'Start one with npm start, or name its folder with --data.',
        )
      }
      const variables =
        target === undefined ? ownVariables(addresses) : profileVariables(target, addresses)
      if (variables === undefined) {
        throw new Failure(`There is no profile ${target}.`, EXIT.usage, 'See docs/clients.md.')
      }
      if (target !== undefined && addresses.key !== null && format !== 'json') {
        process.stdout.write('# The key of the demo world: it opens nothing but this server.\n')
      }
      process.stdout.write(FORMATS[format]?.(variables) ?? '')
    })
}

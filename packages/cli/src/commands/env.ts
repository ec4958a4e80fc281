import { type Command, Option } from 'commander'
import { FORMATS, readAddresses, TARGETS } from '../environment.ts'
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
    .addOption(
      new Option('--for <CLIENTS>', 'for whom').choices(Object.keys(TARGETS)).default('any'),
    )
    .action(({ data, format, for: target }) => {
      const addresses = readAddresses(data)
      if (addresses === undefined) {
        throw new Failure(
          `No server is running with the data folder ${data}.`,
          EXIT.noAnswer,
          'Start one with npm start, or name its folder with --data.',
        )
      }
      process.stdout.write(FORMATS[format]?.(TARGETS[target]?.(addresses) ?? {}) ?? '')
    })
}

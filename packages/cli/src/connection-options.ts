/** The options of every command that asks a server. */
import type { Command } from 'commander'

export function addConnectionOptions(command: Command): Command {
  return command
    .optionsGroup('Where and who (each also as KUMOI_… in the environment):')
    .option('--url <URL>', 'base address, such as https://localhost:8443/cloud')
    .option('--token <TOKEN>', 'access token of the key')
    .option('--secret <SECRET>', 'its secret; better in KUMOI_SECRET')
    .option('--zone <ZONE>', 'zone in the path')
    .option('--operator-url <URL>', 'address of the operator API')
    .option('--operator-token <TOKEN>', 'better in KUMOI_OPERATOR_TOKEN')
    .option('--ca <FILE>', 'CA to verify the server by, not by the usual ones (KUMOI_CA_FILE)')
    .option('--data <DIR>', 'data folder of a server on this machine [default: ./data]')
}

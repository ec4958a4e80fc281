import type { Handlers } from '../../kernel/contract.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { OperatorContext } from '../context.ts'
import type { radiusClientContract } from './clients-contract.ts'
import { ElementStore } from './store.ts'

export function radiusClientHandlers(
  box: SecretBox,
): Handlers<typeof radiusClientContract, OperatorContext> {
  return {
    radiusClientList: (_input, { database }) =>
      database.read(async (tx) => {
        const elements = await new ElementStore(tx, box).list()
        return {
          clients: elements.map(({ name, address, secret, coaPort }) => ({
            ...{ name, address, secret, coa_port: coaPort },
          })),
        }
      }),
  }
}

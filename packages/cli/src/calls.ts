/** Calls of the client, with what goes wrong said as a command says it. */
import type { AnyInput, Client, OperationName } from '@kumoi/client'
import { failureOf } from './failure.ts'

export async function mustCall(
  client: Client,
  operation: OperationName,
  input: AnyInput = {},
): Promise<unknown> {
  const result = await client.call(operation, input)
  if (result.ok) return result.data
  throw failureOf(result.refusal)
}

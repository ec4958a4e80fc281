/** Compiled and never run: a strict project with neither `dom` nor the types of Node. */
import { createClient, RefusalError } from '@kumoi/client'

export async function usage(): Promise<string> {
  const client = createClient({ baseUrl: 'https://localhost:8443/cloud', token: 'a', secret: 'b' })
  const result = await client.simStatus({ params: { sim_id: '900000000001' } })
  // @ts-expect-error: a refused call has no data; whether it was has to be asked first.
  result.data
  if (result.ok) return result.data.sim.iccid
  throw new RefusalError('simStatus', result.refusal)
}

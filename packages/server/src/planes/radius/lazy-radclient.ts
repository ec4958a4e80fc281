/** Nothing of radclient is loaded before the first request to a network element. */
import type { Sender } from '../../services/element-requests/public.ts'

const load = async () => new (await import('./radclient.ts')).Radclient()

export const lazyRadclient: Sender = {
  send: async (target, packets) => (await load()).send(target, packets),
  check: async () => (await load()).check(),
}

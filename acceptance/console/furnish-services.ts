/** Something to see on the pages of the services. */
import { CLOUD, type ServerProcess } from '../server.ts'
import { idsOf } from './console.ts'

export async function furnishServices(server: ServerProcess, token: string): Promise<void> {
  const { project = '' } = await idsOf(server)
  const ask = (method: string, path: string, body?: unknown) =>
    server.ask(method, `${CLOUD}/commonserviceitem/${path}`, { body })
  const adapters = `${project}/iotplatform/vmgw/services`
  await ask('POST', adapters, { IoTPlatform: { type: 'incoming-webhook', name: 'commands' } })
  // Nobody listens there: attempts that fail.
  const settings = { 'outgoing-webhook': { url: 'http://127.0.0.1:9/hook' } }
  await ask('POST', adapters, { IoTPlatform: { type: 'outgoing-webhook', name: 'shop', settings } })
  await server.operator('POST', '/devices/8981040000000001003/messages', token, {
    payload: [{ tag: '01', type: 'float32', value: 21.5 }],
  })
  const send = (destination: string, more: object) =>
    ask('PUT', '900000099201/esme/2fa/otp', {
      ESME: { destination, sender: 'Acme', otpOperation: 'generate', ...more },
    })
  await send('819012345678', {})
  await send('819012345678', { domain_name: 'example.jp' })
  await send('819000000001', { domain_name: 'example.jp' })
  await server.operator('POST', '/maintenances', token, {
    ...{ maintenance_id: 'm-0002', zone: 'tk1a', title: 'Replacement of a switch' },
    ...{ start_at: '2026-04-21 22:00:00', end_at: '2026-04-23 05:00:00' },
  })
}

/** Something to see on every page, besides what the demo world has. */
import { CLOUD, type ServerProcess } from '../server.ts'
import { idsOf } from './console.ts'
import { furnishServices } from './furnish-services.ts'

export async function furnish(server: ServerProcess, token: string): Promise<void> {
  const { sim = '', gateway = '' } = await idsOf(server)
  const appliance = `${CLOUD}/appliance/${gateway}`
  const iccid = '8981040000000001001'
  await server.ask('PUT', appliance, {
    body: {
      Appliance: {
        Settings: {
          MobileGateway: {
            InternetConnection: { Enabled: 'True' },
            Interfaces: [null, { IPAddress: ['192.168.1.1'], NetworkMaskLen: 24 }],
          },
        },
      },
    },
  })
  await server.ask('PUT', `${appliance}/mobilegateway/traffic_monitoring`, {
    body: { traffic_monitoring_config: { traffic_quota_in_mb: 1, auto_traffic_shaping: true } },
  })
  await server.ask('PUT', `${appliance}/mobilegateway/simroutes`, {
    body: { sim_routes: [{ resource_id: sim, prefix: '198.51.100.0/24' }] },
  })
  const operator = (method: string, path: string, body?: unknown) =>
    server.operator(method, path, token, body)
  await operator('POST', '/devices/8981040000000001000/attach', {
    ...{ imei: '350000000000009', carrier: 'carrier-a' },
  })
  // Enough for a chart: an afternoon of the simulated fleet.
  await operator('PUT', '/clock', { mode: 'frozen' })
  for (let hour = 0; hour < 5; hour += 1) {
    await operator('POST', `/devices/${iccid}/traffic`, {
      ...{ uplink_bytes: 200_000 * (hour + 1), downlink_bytes: 400_000 },
    })
    await operator('POST', '/clock/advance', { by: '1h' })
  }
  await operator('PUT', '/clock', { mode: 'scaled', scale: 1 })
  await furnishServices(server, token)
  await operator('POST', '/snapshots', { name: 'base' })
  await operator('POST', '/faults', {
    ...{ operation: 'itemCreate', times: 1, effect: { status: 503 } },
  })
}

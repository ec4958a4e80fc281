/** Opens the planes that only some settings need; each is loaded only then. */
import type { Config } from './config.ts'
import { RunningClock } from './kernel/clock.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import type { Parts } from './parts.ts'
import type { MqttPlane } from './planes/mqtt/plane.ts'
import { type Certificates, certificatesModule } from './services/certificates/module.ts'
import { SMS } from './services/families.ts'
import type { ReportTokens, Transport } from './services/sms/public.ts'

/** The one that a test stands in for, or that the settings name; loaded only then. */
export async function smsTransport(
  { sms, publicUrl }: Config,
  { ports, secrets }: Parts,
  tokens: ReportTokens,
  ownOrigin: () => string,
): Promise<Transport | undefined> {
  if (ports.sms !== undefined || sms.transport === 'outbox') return ports.sms
  const { openTransport } = await import('./planes/sms/open.ts')
  return openTransport(sms, {
    ...{ log: ports.log, password: secrets.sms?.password, secret: secrets.sms?.secret },
    reportUrl: (id) => `${publicUrl ?? ownOrigin()}${SMS.base}/kannel/${tokens.sign(id)}`,
  })
}

export async function openCertificates(
  { acme }: Config,
  { ports: { log }, storage: { database }, secrets }: Parts,
  box: SecretBox,
): Promise<Certificates | undefined> {
  if (acme === undefined) return undefined
  const { openAuthority } = await import('./planes/acme/authority.ts')
  return certificatesModule({
    ...{ database, box, log, machine: new RunningClock(), domains: acme.domains },
    ...{ served: secrets.tls, authority: openAuthority({ ...acme, ca: secrets.acmeCa }) },
  })
}

export async function openMqtt(
  { mqttPort, mqttPlainPort }: Config,
  parts: Parameters<typeof MqttPlane.open>[0],
): Promise<MqttPlane | undefined> {
  if (mqttPort === undefined && mqttPlainPort === undefined) return undefined
  const { MqttPlane } = await import('./planes/mqtt/plane.ts')
  return MqttPlane.open(parts)
}

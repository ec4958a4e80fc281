/** What a cloud is composed of: opened and read by whoever starts it. */
import type { ControlledClock } from './kernel/controlled-clock.ts'
import type { EncryptionKeys } from './kernel/encryption-key.ts'
import type { Log } from './kernel/log.ts'
import type { Profile } from './kernel/profile.ts'
import type { Random } from './kernel/random.ts'
import type { ServedCertificate, Tls } from './kernel/served-certificate.ts'
import type { Tracing } from './kernel/tracing.ts'
import type { Sender } from './services/element-requests/public.ts'
import type { ItemKind } from './services/items/public.ts'
import type { Mailer } from './services/mail/public.ts'
import type { Demo, WorldSource } from './services/operator/public.ts'
import type { Networks } from './services/sim/public.ts'
import type { Transport } from './services/sms/public.ts'
import type { Blobs } from './storage/blobs/blobs.ts'
import type { Database } from './storage/database.ts'

/** The ports to the outside that everything else is handed: time, randomness, the log. */
export interface Ports {
  readonly clock: ControlledClock
  readonly random: Random
  readonly log: Log
  /** What carries short messages; the network inside the database when there is none. */
  readonly sms?: Transport
  /** What sends mail; without it notices by mail are kept. */
  readonly mail?: Mailer | undefined
  /** Where traces are wanted. */
  readonly tracing?: Tracing | undefined
  /** What sends to network elements; radclient unless a test stands in for it. */
  readonly radius?: Sender | undefined
}

export interface Storage {
  readonly database: Database
  readonly blobs: Blobs
  /** Apart from the other blobs, since they outlive a reset. */
  readonly snapshots: Blobs
  close(): Promise<void>
}

/** What is read from the data folder, or made up where there is none. */
export interface Secrets {
  readonly encryptionKeys: EncryptionKeys
  readonly operatorToken: string
  /** Of whoever asks and reports for the network elements. */
  readonly networkToken: string
  /** Of edges of the web accelerator on other machines. */
  readonly edgeToken: string
  /** Without it the servers speak plain HTTP, as for `inject` in tests. */
  readonly tls: ServedCertificate | undefined
  readonly ca: string | undefined
  /** Certificates of the CA that was made for the server; undefined where there is none. */
  readonly issueLocal?: ((names: readonly string[], now: Date) => Tls) | undefined
  readonly sms?: SmsSecrets
  /** CAs of the authority that is asked by ACME. */
  readonly acmeCa?: string | undefined
}

/** Of the transport of short messages. */
export interface SmsSecrets {
  readonly password: string | undefined
  readonly secret: string | undefined
}

/** What is read from other files. */
export interface Sources {
  readonly profile: Profile
  readonly worlds: readonly WorldSource[]
  /** What there is where no world is given. */
  readonly demo: Demo
  /** Of this program. */
  readonly version: string
  /** The build of the console. */
  readonly consoleFolder: string
}

export interface Parts {
  readonly ports: Ports
  readonly storage: Storage
  readonly secrets: Secrets
  readonly sources: Sources
  /** What all processes have measured, where there are several. */
  readonly collectMetrics?: (() => Promise<string>) | undefined
  /** Stand at a port instead of what belongs there; for tests. */
  readonly kinds?: readonly ItemKind[] | undefined
  readonly networks?: Networks | undefined
}

/** Reads the profile that `--profile` names: one that comes with the server, or a file of one's own. */
import { readFileSync } from 'node:fs'
import { INTERFACE_PROFILE, type Profile } from '../kernel/profile.ts'
import { compileSchema, formatPath } from '../kernel/schema.ts'
import { type Static, Type } from '../kernel/type.ts'
import { loadYaml } from '../kernel/yaml.ts'
import { ZONES } from '../kernel/zone.ts'
import { ConfigError } from '../setting-kinds.ts'

/** Those that come with the server. */
const PROFILES = new URL('../../profiles/', import.meta.url)

const closed = { additionalProperties: false }
const word = () => Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const header = () => Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,100}$' }))
const habit = () => Type.Optional(Type.Boolean())

const Provider = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    name: Type.String({ minLength: 1 }),
    serviceClass: Type.String({ minLength: 1 }),
  },
  closed,
)

/** What is left out is as the interface has it. */
const ProfileFile = Type.Object(
  {
    words: Type.Optional(
      Type.Object(
        {
          beautifyHeader: header(),
          bigintHeader: header(),
          deliveryDomain: word(),
          providers: Type.Optional(
            Type.Object(
              {
                sim: Type.Optional(Provider),
                esme: Type.Optional(Provider),
                iotplatform: Type.Optional(Provider),
              },
              closed,
            ),
          ),
          retryCountTwin: word(),
          chatConfig: word(),
          chatUrl: word(),
          webhookSignatureHeader: header(),
          carriers: Type.Optional(Type.Array(Type.String(), { minItems: 3, maxItems: 3 })),
        },
        closed,
      ),
    ),
    zones: Type.Optional(Type.Array(Type.Enum([...ZONES]), { minItems: 1 })),
    hosts: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9.-]{1,253}$' }))),
    gateways: Type.Optional(
      Type.Object(
        {
          bootByThemselves: habit(),
          switchNeedsPowerDown: habit(),
          routesNeedPrivateInterface: habit(),
          deletionNeedsPowerDown: habit(),
        },
        closed,
      ),
    ),
    webaccel: Type.Optional(Type.Object({ showsUploadSecret: habit() }, closed)),
    /** What `kumoi env --for` prints; the server itself has no use for it. */
    environment: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  closed,
)

/** A word is a profile of ours; what looks like a path is a file. */
export function readProfile(name: string): Profile {
  if (name === 'interface') return INTERFACE_PROFILE
  const ours = /^[a-z0-9-]+$/.test(name)
  const file = ours ? new URL(`${name}.json`, PROFILES) : name
  const { words, zones, hosts, gateways, webaccel } = read(name, file)
  return {
    words: {
      ...INTERFACE_PROFILE.words,
      ...words,
      providers: { ...INTERFACE_PROFILE.words.providers, ...words?.providers },
    },
    zones: zones ?? INTERFACE_PROFILE.zones,
    hosts: hosts ?? INTERFACE_PROFILE.hosts,
    gateways: { ...INTERFACE_PROFILE.gateways, ...gateways },
    webaccel: { ...INTERFACE_PROFILE.webaccel, ...webaccel },
  }
}

function read(name: string, file: string | URL): Static<typeof ProfileFile> {
  let content: unknown
  try {
    content = loadYaml().parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const detail = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new ConfigError(
      typeof file === 'string'
        ? `The profile ${name} cannot be read: ${detail}`
        : `There is no profile ${name}; a profile of your own is given as a path, such as ./${name}.json.`,
    )
  }
  const problem = compileSchema(ProfileFile)(content)
  if (problem !== undefined) {
    throw new ConfigError(`The profile ${name}: ${formatPath(problem.path)} ${problem.text.en}`)
  }
  return content as Static<typeof ProfileFile>
}

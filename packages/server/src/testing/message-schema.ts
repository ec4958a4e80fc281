/** The published schema of messages, to hold real ones against. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

const schema = JSON.parse(
  readFileSync(new URL('../../../../docs/iot-message.schema.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ strict: false }).addSchema(schema)

/** What the server writes: object, notify or error. */
export function isMessage(value: unknown): boolean {
  return ajv.validate(schema.$id, value)
}

/** What others send to it. */
export function isSent(value: unknown): boolean {
  return ajv.validate(`${schema.$id}#/$defs/sent`, value)
}

/**
 * Whether the server of this container is ready: exits with 0 or 1. The server writes its addresses into the data
 * folder. Its certificate is for the name that clients use and not for this machine, so it is not checked here.
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:https'

const { operator } = JSON.parse(readFileSync(`${process.env.KUMOI_DATA}/server.json`, 'utf8'))
const options = { rejectUnauthorized: false, timeout: 4000 }
const outgoing = request(`${operator}/health/ready`, options, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1)
})
outgoing.once('error', () => process.exit(1)).once('timeout', () => process.exit(1))
outgoing.end()

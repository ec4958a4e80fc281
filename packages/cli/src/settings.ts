/**
 * Where the server is and who asks: flags, then `KUMOI_*` variables, then what a running server has written
 * into its data folder. So `kumoi sim list` works beside a server of `npm start` without any setting.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Addresses, readAddresses } from './addresses.ts'
import { EXIT, Failure } from './failure.ts'

/** As flags give them; the same names as the variables. */
export interface Given {
  readonly url?: string
  readonly token?: string
  readonly secret?: string
  readonly zone?: string
  readonly operatorUrl?: string
  readonly operatorToken?: string
  readonly ca?: string
  readonly data?: string
}

export interface Settings {
  readonly baseUrl: string
  readonly operatorUrl: string
  readonly zone: string
  readonly token: string | undefined
  readonly secret: string | undefined
  readonly operatorToken: string | undefined
  readonly caFile: string | undefined
  /** For `kumoi doctor`: where the address comes from. */
  readonly source: string
}

type Environment = Readonly<Record<string, string | undefined>>

export const DATA_FOLDER = './data'

export function readSettings(given: Given, environment: Environment): Settings {
  const folder = given.data ?? environment.KUMOI_DATA ?? DATA_FOLDER
  const url = given.url ?? environment.KUMOI_URL
  const running = readAddresses(folder)
  // What lies in the folder belongs to the server that runs there, and to no other.
  const local = url === undefined || url === running?.api ? running : undefined
  const baseUrl = url ?? local?.api
  if (baseUrl === undefined) {
    throw new Failure(
      `No server is running with the data folder ${folder}.`,
      EXIT.noAnswer,
      'Start one with npm start, or say where it is with --url or KUMOI_URL.',
    )
  }
  checkUrl(baseUrl)
  return {
    baseUrl: withoutEndSlashes(baseUrl),
    operatorUrl:
      given.operatorUrl ??
      environment.KUMOI_OPERATOR_URL ??
      local?.operator ??
      `${new URL(baseUrl).origin}/_kumoi/v1`,
    zone: given.zone ?? environment.KUMOI_ZONE ?? 'is1a',
    ...keyOf(given, environment, local),
    operatorToken:
      given.operatorToken ??
      environment.KUMOI_OPERATOR_TOKEN ??
      (local && readIfThere(join(folder, 'operator.token'))),
    caFile: given.ca ?? environment.KUMOI_CA_FILE ?? local?.caFile ?? undefined,
    source:
      given.url !== undefined ? '--url' : url !== undefined ? 'KUMOI_URL' : `${folder}/server.json`,
  }
}

/** A token and a secret come from the same place, or they would not fit. */
function keyOf(given: Given, environment: Environment, local: Addresses | undefined) {
  if (given.token !== undefined) {
    return { token: given.token, secret: given.secret ?? environment.KUMOI_SECRET }
  }
  if (environment.KUMOI_TOKEN !== undefined) {
    return { token: environment.KUMOI_TOKEN, secret: given.secret ?? environment.KUMOI_SECRET }
  }
  return { token: local?.key?.token, secret: local?.key?.secret }
}

function checkUrl(url: string): void {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return
  throw new Failure(
    `The address ${url} is not of the form https://localhost:8443/cloud.`,
    EXIT.usage,
  )
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function withoutEndSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

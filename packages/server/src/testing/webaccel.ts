/** The web accelerator of a test cloud: its paths and a site to begin with. */
import type { TestContext } from 'node:test'
import { type Answer, type Ask, basic, openCloud, type TestCloud } from './cloud.ts'
import type { TestEngine } from './engines.ts'

export const WEBACCEL = '/cloud/zone/is1a/api/webaccel/1.0'

export const DRAFT = {
  Name: 'www',
  DomainType: 'own_domain',
  Domain: 'www.example.jp',
  OriginType: '0',
  OriginProtocol: 'https',
  Origin: 'origin.example.jp',
}

export const BUCKET = {
  OriginType: '1',
  OriginProtocol: 'https',
  BucketName: 'bucket',
  S3Endpoint: 's3.example.jp',
  S3Region: 'jp-north-1',
  AccessKeyID: 'key-id',
  SecretAccessKey: 'storage-secret',
}

export interface TestWeb extends TestCloud {
  /** The path is below `{api}/webaccel/1.0`. */
  web(method: string, path: string, options?: Ask): Promise<Answer>
  /** Answers with the id of a new site. */
  newSite(change?: object): Promise<string>
}

export async function openWeb(
  t: TestContext,
  options: { engine?: TestEngine; args?: readonly string[] } = {},
): Promise<TestWeb> {
  const cloud = await openCloud(t, options)
  const world = {
    version: 1,
    accounts: [
      {
        code: 'other',
        name: 'Other',
        keys: [
          {
            token: 'other-cdn',
            secret: 'other-cdn-secret',
            permission: 'create',
            external: ['cdn'],
          },
        ],
      },
    ],
  }
  await cloud.operator('POST', '/world', { body: world })
  const web: TestWeb['web'] = (
    method,
    path,
    { token = 'acme-token', headers = {}, ...rest } = {},
  ) =>
    cloud.inject(method, `${WEBACCEL}${path}`, {
      ...rest,
      headers: { ...(token === null ? {} : { authorization: basic(token) }), ...headers },
    })
  const newSite = async (change: object = {}) => {
    const made = await web('POST', '/site', { body: { Site: { ...DRAFT, ...change } } })
    if (made.status !== 200) throw new Error(made.text)
    return made.body.Site.ID
  }
  return { ...cloud, web, newSite }
}

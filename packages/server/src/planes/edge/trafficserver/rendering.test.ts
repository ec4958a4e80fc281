import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { makeCertificate } from '../../../testing/certificates.ts'
import { DOMAIN, testSite } from '../../../testing/edge-server.ts'
import { isAllowed, parseAccessList } from '../site/acl.ts'
import { parseRange, rangeOf } from './address-range.ts'
import { certificateFiles } from './certificates.ts'
import { configFiles, runroot } from './config-files.ts'
import { Generations } from './generations.ts'
import { luaOf } from './lua-value.ts'
import { isHostName, purgeTarget, siteSource } from './site-data.ts'

const SHARED = { tlsPort: 443, trusted: [] }
const GENERATION = { generation: 'e.0', purged: {} }
const source = (change: Parameters<typeof testSite>[1]) =>
  siteSource(testSite(8080, change), GENERATION, SHARED)

/** What Lua reads in a string of its source. */
function readLuaString(text: string): string {
  const bytes = [...text.slice(1, -1).matchAll(/\\(\d{3})|([A-Za-z0-9])/g)].map(
    ([, number, letter = '']) => (number === undefined ? letter.charCodeAt(0) : Number(number)),
  )
  return Buffer.from(bytes).toString()
}

describe('values of users in the data of the script', () => {
  test('stay within their strings, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const text = luaOf(value)
        assert.match(text, /^"(?:[A-Za-z0-9]|\\\d{3})*"$/)
        assert.equal(readLuaString(text), value)
      }),
    )
  })

  test('are lists and tables of such strings', () => {
    const value = { a: ['"]', 1, true], 'b"': undefined, c: { 'x]=': '' } }
    assert.equal(luaOf(value), '{["a"]={"\\034\\093",1,true},["c"]={["x\\093\\061"]=""}}')
    assert.throws(() => luaOf(Number.NaN), /no whole number/)
  })

  test('disable the site where they could change another field or address', () => {
    const origin = {
      type: 'server',
      protocol: 'http',
      host: 'o.example.jp',
      hostHeader: 'o',
    } as const
    const isDisabled = (text: string) => text.includes('["disabled"]=true')
    assert.equal(isDisabled(source({ origin })), false)
    for (const bad of ['o.example.jp\r\nX: y', 'o example', 'o/../', 'user@o', '[::1]:80', '']) {
      assert.equal(isDisabled(source({ origin: { ...origin, host: bad } })), true, bad)
      assert.equal(isDisabled(source({ origin: { ...origin, hostHeader: bad } })), true, bad)
    }
    assert.equal(isDisabled(source({ guardToken: 'a\nX: y' })), true)
    const bucket = { bucket: 'b', endpoint: 's3.example.jp', region: 'r', accessKeyId: 'k' }
    const storage = { ...bucket, type: 'storage', docIndex: false, secretAccessKey: 's' } as const
    assert.equal(isDisabled(source({ origin: storage })), false)
    assert.equal(isDisabled(source({ origin: { ...storage, accessKeyId: 'k, x' } })), true)
    assert.equal(isDisabled(source({ origin: { ...storage, bucket: 'b\n' } })), true)
  })

  test('are no file names unless they are names of hosts', () => {
    assert.deepEqual(['www.example.jp', '../x', '.x', 'a/b', 'A.example.jp', ''].map(isHostName), [
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('networks of the script', () => {
  const keyOf = (address: string) => parseRange(address).from

  test('hold the addresses that the access list of the embedded edge has in them', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.constantFrom('2001:db8::1', '2001:db9::', '::1', 'fe80::1'),
    )
    const network = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.constantFrom('2001:db8::', '::'), fc.integer({ min: 0, max: 128 })),
    )
    fc.assert(
      fc.property(address, network, (client, [base, bits]) => {
        const list = parseAccessList(`deny ${base}/${bits}`)
        const { from, to } = rangeOf(list[0]?.network)
        const key = keyOf(client)
        assert.equal(key >= from && key <= to, !isAllowed(list, client))
      }),
    )
  })

  test('of every address are those of both families', () => {
    const { from, to } = rangeOf(undefined)
    for (const key of ['0.0.0.0', '255.255.255.255', '::', 'ffff::'].map(keyOf)) {
      assert.ok(key >= from && key <= to, key)
    }
  })
})

describe('generations', () => {
  const purge = (version: number, target: string | null) => ({ version, siteId: '1', target })

  test('change the key of a purged address, or of all of the site, and never go back', () => {
    const generations = new Generations('e')
    generations.purge(purge(3, '/a'), '/a')
    assert.deepEqual(generations.of('1'), { generation: 'e.0', purged: { '/a': '3' } })
    assert.deepEqual(generations.of('2'), { generation: 'e.0', purged: {} })
    generations.purge(purge(5, null), null)
    assert.deepEqual(generations.of('1'), { generation: 'e.5', purged: {} })
    generations.dropAll('f')
    assert.deepEqual(generations.of('1'), { generation: 'f.0', purged: {} })
  })

  test('leave the whole cache of a site behind when too many addresses were purged', () => {
    const generations = new Generations('e')
    for (let at = 1; at <= 1000; at += 1) generations.purge(purge(at, ''), `/${at}`)
    assert.equal(generations.of('1').generation, 'e.0')
    generations.purge(purge(1001, ''), '/1001')
    assert.deepEqual(generations.of('1'), { generation: 'e.1001', purged: {} })
  })

  test('are of addresses as keys have them', () => {
    const target = '/a?webaccel_secure_time=1&b=2'
    const onetime = testSite(80, { onetimeSecrets: ['s'] })
    assert.equal(purgeTarget(testSite(80), purge(1, target)), target)
    assert.equal(purgeTarget(onetime, purge(1, target)), '/a?b=2')
    assert.equal(purgeTarget(onetime, purge(1, null)), null)
  })
})

describe('the configuration', () => {
  const folder = (name: string) => `/srv/edge/${name}`
  const folders = {
    ...{ root: '/srv/edge', config: folder('config'), run: folder('run'), log: folder('log') },
    ...{ cache: folder('cache'), certificates: folder('certificates'), data: folder('data') },
  }
  const files = (allowsPrivateOrigins: boolean) =>
    configFiles({
      ...{ folders, host: '192.0.2.1', port: 80, tlsPort: 443 },
      ...{ memoryBytes: 1024, diskBytes: 2 ** 30, allowsPrivateOrigins },
    })

  test('has the ports, the sizes and the folders', () => {
    const { 'records.config': records = '', 'storage.config': storage } = files(true)
    assert.match(records, /server_ports STRING 80:ip-in=192\.0\.2\.1 443:ssl:ip-in=192\.0\.2\.1:/)
    assert.match(records, /ram_cache\.size INT 1024/)
    assert.equal(storage, '/srv/edge/cache 1024M\n')
    assert.match(runroot(folders), /^sysconfdir: \/srv\/edge\/config$/m)
  })

  test('leaves purges to us, and private origins to nobody unless they are allowed', () => {
    assert.match(files(true)['ip_allow.yaml'] ?? '', /methods: \[CONNECT, PURGE, PUSH, TRACE\]/)
    assert.doesNotMatch(files(true)['ip_allow.yaml'] ?? '', /apply: out/)
    assert.match(files(false)['ip_allow.yaml'] ?? '', /apply: out\n.*'127\.0\.0\.0\/8'/)
  })
})

describe('certificates', () => {
  const own = makeCertificate({ subject: `/CN=${DOMAIN}`, names: [DOMAIN, 'other.example.jp'] })
  const certificate = { id: 'c1', chain: own.certificate, key: own.key }
  const site = testSite(80, { certificate })

  test('are files that only the configuration names', () => {
    const { config, files, refusedSiteIds } = certificateFiles([site])
    assert.equal(config, `ssl_cert_name=${site.id}.crt ssl_key_name=${site.id}.key\n`)
    assert.deepEqual(Object.keys(files), [`${site.id}.crt`, `${site.id}.key`])
    assert.deepEqual(refusedSiteIds, [])
  })

  test('that name a host of another site, or are none, are left out', () => {
    const other = testSite(80, { id: '2', hosts: ['other.example.jp'] })
    const broken = testSite(80, { id: '3', hosts: [], certificate: { ...certificate, chain: 'x' } })
    const { config, refusedSiteIds } = certificateFiles([site, other, broken])
    assert.equal(config, '')
    assert.deepEqual(refusedSiteIds, [site.id, '3'])
  })
})

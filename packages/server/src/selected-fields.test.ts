/** Include and Exclude, with every path of every list: the answers fit their contracts, which the cloud checks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slices } from './contracts.ts'
import { pathOf } from './http/operation.ts'
import { basic, OPERATOR_TOKEN, search } from './testing/cloud.ts'
import { onSqlite } from './testing/engines.ts'
import { openGateways } from './testing/gateways.ts'
import { iccidOf } from './testing/sims.ts'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

const lists = slices.flatMap(({ family, contract }) =>
  Object.entries(contract).flatMap(([name, operation]) => {
    if (operation.query !== 'search') return []
    // A schema is plain data; its type has no members to look up.
    return [{ name, url: pathOf(family, operation, '/cloud'), reply: operation.reply as Shape }]
  }),
)

/** The path of the list in the answer, and the paths of its rows. */
function listOf(shape: Shape, at: readonly string[] = []): { at: string[]; paths: string[] } {
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    if (member.items !== undefined) return { at: [...at, name], paths: pathsOf(member.items, '') }
    if (member.properties !== undefined) return listOf(member, [...at, name])
  }
  throw new Error('The answer has no list.')
}

function pathsOf(shape: Shape, prefix: string): string[] {
  const inside = Object.entries(shape.properties ?? {}).flatMap(([name, member]) => [
    `${prefix}${name}`,
    ...pathsOf(member, `${prefix}${name}.`),
  ])
  const others = [...(shape.anyOf ?? []), ...(shape.items ? [shape.items] : [])]
  return [...inside, ...others.flatMap((member) => pathsOf(member, prefix))]
}

type Row = Readonly<Record<string, unknown>>

test('a list with one path in Include or in Exclude shows whole fields, and its contract holds', async (t) => {
  const { ask, inject, ready, sim, part } = await openGateways(t, onSqlite)
  const create = async (Class: string) => {
    const body = { CommonServiceItem: { Name: 'a', Provider: { Class } } }
    return (await ask('POST', '/commonserviceitem', { body })).body.CommonServiceItem.ID
  }
  const gateway = await ready()
  const simId = await sim(1)
  await part('POST', gateway, 'sims', { sim: { resource_id: simId } })
  const UserSubnet = { DefaultRoute: '192.168.1.1', NetworkMaskLen: 24 }
  await ask('POST', '/switch', { body: { Switch: { Name: 'a', UserSubnet } } })
  await create('iotplatform')
  const sms = await create('esme')
  const ESME = { destination: '819012345678', sender: 'a', otpOperation: 'generate' }
  await ask('PUT', `/commonserviceitem/${sms}/esme/2fa/otp`, { body: { ESME } })

  const filled: string[] = []
  for (const { name, url, reply } of lists) {
    const at = url
      .replace('{zone}', 'is1a')
      .replace('{appliance_id}', gateway)
      .replace('{sms_id}', sms)
      .replace('{sim_id}', simId)
      .replace('{iccid}', iccidOf(1))
    const { at: place, paths } = listOf(reply)
    const read = async (query: object) => {
      const authorization = at.startsWith('/_kumoi')
        ? `Bearer ${OPERATOR_TOKEN}`
        : basic('acme-token')
      const answer = await inject('GET', `${at}${search(query)}`, { headers: { authorization } })
      assert.equal(answer.status, 200, `${name} ${JSON.stringify(query)}: ${answer.text}`)
      return place.reduce((value, step) => value[step], answer.body) as Row[]
    }
    const whole = await read({})
    if (whole.length > 0) filled.push(name)
    for (const path of [...paths, 'Status.sim', 'No', 'No.such', 'Name.x']) {
      for (const query of [{ Include: [path] }, { Exclude: [path] }]) {
        const rows = await read(query)
        assert.equal(rows.length, whole.length)
        rows.forEach((row, index) => {
          for (const [field, value] of Object.entries(row)) {
            if (path !== 'Status.sim') assert.deepEqual(value, whole[index]?.[field], name)
          }
        })
      }
    }
  }
  for (const name of ['itemList', 'gatewayList', 'gatewaySimList', 'switchList', 'smsLogList']) {
    assert.ok(filled.includes(name), `${name} is empty`)
  }
})

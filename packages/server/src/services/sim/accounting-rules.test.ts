import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ItemId } from '../../kernel/ids.ts'
import {
  type AccountingPacket,
  decide,
  largest,
  later,
  type Remembered,
} from './accounting-rules.ts'
import type { EndCause, Session } from './session-rules.ts'

const NOON = new Date('2026-04-01T12:00:00Z')
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)
// The cast: an id that is written here.
const simId = '910000000001' as ItemId
const none = { uplinkBytes: 0, downlinkBytes: 0 }

function packet(kind: AccountingPacket['kind'], more: Partial<AccountingPacket> = {}) {
  const element = { name: 'pgw-1', acctSessionId: 'a' }
  const said = { isTimed: true, imei: undefined, carrier: undefined, ip: undefined }
  return { kind, element, used: none, at: NOON, ...said, ...more }
}

function live(name: string | undefined, acctSessionId: string, since = NOON): Session {
  return {
    ...{ id: 1, simId, iccid: '1', imsi: '1', imei: '1', carrier: 'x', ip: 1, isIpFixed: false },
    ...{ ...none, network: { kind: 'gateway', id: '1' }, since, countedAt: since, seenAt: since },
    element: name === undefined ? undefined : { name, acctSessionId },
  }
}

const ended = (cause: EndCause, endedAt = NOON, used = none): Remembered => ({
  ...{ ...used, simId, endedAt, cause },
})

describe('an accounting packet', () => {
  test('counts for the session that it names, and a stop ends it', () => {
    const session = live('pgw-1', 'a')
    assert.equal(decide(packet('start'), session, undefined), 'count')
    assert.equal(decide(packet('interim'), session, undefined), 'count')
    assert.equal(decide(packet('stop'), session, undefined), 'end')
  })

  test('names the session that its element was given, whatever the clocks say', () => {
    const given = live('pgw-1', '', at(60))
    assert.equal(decide(packet('start'), given, undefined), 'bind')
    assert.equal(decide(packet('interim'), given, undefined), 'bind')
    assert.equal(decide(packet('stop'), given, undefined), 'end')
    assert.equal(
      decide(packet('start', { at: at(61) }), live('pgw-2', '', at(60)), undefined),
      'begin',
    )
  })

  test('begins a session that nobody knew of, but not by a stop', () => {
    assert.equal(decide(packet('start'), undefined, undefined), 'begin')
    assert.equal(decide(packet('interim'), undefined, undefined), 'begin')
    assert.equal(decide(packet('stop'), undefined, undefined), 'remember')
  })

  test('of a second element takes the SIM over when it is newer, and else is late', () => {
    const other = live('pgw-2', 'b', at(10))
    assert.equal(decide(packet('start', { at: at(10) }), other, undefined), 'begin')
    assert.equal(decide(packet('start', { at: at(9) }), other, undefined), 'remember')
    assert.equal(decide(packet('stop', { at: at(20) }), other, undefined), 'remember')
    assert.equal(decide(packet('interim', { at: at(20) }), live(undefined, ''), undefined), 'begin')
  })

  test('of a session that is over begins nothing, whatever it was ended by', () => {
    for (const cause of ['stop', 'element_restart', 'attached_again', 'not_activated'] as const) {
      for (const kind of ['start', 'interim', 'stop'] as const) {
        const late = packet(kind, { at: at(60), used: { uplinkBytes: 5, downlinkBytes: 5 } })
        assert.equal(decide(late, undefined, ended(cause)), 'addEnded', `${cause} ${kind}`)
      }
    }
  })

  test('of a lost session lets it go on, when it is new', () => {
    const lost = ended('lost', NOON, { uplinkBytes: 5, downlinkBytes: 5 })
    const used = { uplinkBytes: 5, downlinkBytes: 5 }
    const more = { uplinkBytes: 6, downlinkBytes: 5 }
    assert.equal(decide(packet('interim', { at: at(1), used }), undefined, lost), 'begin')
    const untimed = { at: at(1), isTimed: false }
    // Said again, without a time that can be believed: nothing new.
    assert.equal(decide(packet('interim', { ...untimed, used }), undefined, lost), 'addEnded')
    assert.equal(decide(packet('interim', { ...untimed, used: more }), undefined, lost), 'begin')
    assert.equal(decide(packet('interim', { at: NOON, used }), undefined, lost), 'addEnded')
    assert.equal(decide(packet('stop', { at: at(1), used: more }), undefined, lost), 'addEnded')
    // The SIM is connected elsewhere by now.
    assert.equal(
      decide(packet('interim', { at: at(1), used }), live('pgw-2', 'b'), lost),
      'addEnded',
    )
  })

  test('that seemed late takes the SIM over by a newer one', () => {
    const late = ended('late', NOON)
    const other = live('pgw-2', 'b', at(10))
    assert.equal(decide(packet('interim', { at: at(9) }), other, late), 'addEnded')
    assert.equal(decide(packet('interim', { at: at(10) }), other, late), 'begin')
    assert.equal(decide(packet('interim', { at: NOON }), undefined, late), 'addEnded')
    assert.equal(decide(packet('interim', { at: at(1) }), undefined, late), 'begin')
  })
})

test('totals and times are the largest that were reported', () => {
  const a = { uplinkBytes: 1, downlinkBytes: 9 }
  const b = { uplinkBytes: 5, downlinkBytes: 2 }
  assert.deepEqual(largest(a, b), { uplinkBytes: 5, downlinkBytes: 9 })
  assert.deepEqual(largest(b, a), largest(a, b))
  assert.deepEqual([later(at(1), at(2)), later(at(2), at(1))], [at(2), at(2)])
})

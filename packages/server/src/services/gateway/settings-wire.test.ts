import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INTERFACE_WORDS } from '../../kernel/words.ts'
import { settingsFromWire, settingsToWire } from './settings-wire.ts'
import { trafficControlWire } from './traffic-wire.ts'

describe('settings on the wire', () => {
  test('are "True" and "False", and interfaces whose first element is null', () => {
    const MobileGateway = {
      InternetConnection: { Enabled: 'True' as const },
      Interfaces: [null, { IPAddress: ['192.168.1.1'], NetworkMaskLen: 24 }],
      StaticRoutes: [{ Prefix: '172.20.0.0/16', NextHop: '192.168.1.254' }],
      InterDeviceCommunication: { Enabled: 'False' as const },
    }
    const settings = settingsFromWire(MobileGateway)
    assert.deepEqual(settings, {
      internetConnection: true,
      interDeviceCommunication: false,
      privateInterface: { addresses: ['192.168.1.1'], maskLength: 24 },
      staticRoutes: [{ prefix: '172.20.0.0/16', nextHop: '192.168.1.254' }],
    })
    assert.equal(JSON.stringify(settingsToWire(settings)), JSON.stringify({ MobileGateway }))
  })

  test('show only the members that were sent; null is as good as missing', () => {
    assert.deepEqual(settingsToWire(settingsFromWire({})), { MobileGateway: {} })
    const nothing = { InternetConnection: null, Interfaces: null, StaticRoutes: null }
    assert.deepEqual(settingsFromWire(nothing), {})
    const noPrivate = settingsToWire(settingsFromWire({ Interfaces: [null] }))
    assert.deepEqual(noPrivate, { MobileGateway: { Interfaces: [null] } })
    assert.equal(settingsToWire(undefined), null)
  })
})

describe('traffic control on the wire', () => {
  test('has the chat members under the names that the words give them', () => {
    const wire = trafficControlWire({
      ...INTERFACE_WORDS,
      chatConfig: 'talk_config',
      chatUrl: 'talk_url',
    })
    const sent = {
      traffic_quota_in_mb: 10,
      bandwidth_limit_in_kbps: 0,
      email_config: { enabled: false },
      talk_config: { enabled: true, talk_url: 'https://talk.example.jp/hook' },
      auto_traffic_shaping: true,
    }
    const control = wire.read({ ...sent, chat_config: 'noise' })
    assert.equal(control.chatUrl, 'https://talk.example.jp/hook')
    assert.deepEqual(wire.write(control), sent)
    assert.throws(
      () => wire.read({ ...sent, talk_config: { enabled: true, talk_url: 'http://talk' } }),
      /traffic_monitoring_config\.talk_config\.talk_url must be an https address/,
    )
  })
})

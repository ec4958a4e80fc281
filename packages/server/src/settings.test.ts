import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Config, readConfig } from './config.ts'
import { ConfigError } from './setting-kinds.ts'

const read = (...args: string[]) => readConfig(['--memory', ...args], {}) as Config

const OPERATE = [
  ...['--mode', 'operate', '--tls-cert', 'a', '--tls-key', 'b', '--data', 'c'],
  ...['--operator-token', 'd', '--operator-port', '1'],
]

describe('--requests-kept', () => {
  test('takes 0 to 20000, 2000 by default', () => {
    assert.equal(read().requestsKept, 2000)
    for (const right of [0, 20_000]) {
      assert.equal(read('--requests-kept', String(right)).requestsKept, right)
    }
    for (const wrong of ['-1', '20001', '1.5', '']) {
      assert.throws(() => read('--requests-kept', wrong), ConfigError, wrong)
    }
  })
})

describe('--provisioning-seconds', () => {
  test('is a whole number from 0 to 86400, by default 3', () => {
    assert.equal(read().provisioningSeconds, 3)
    assert.equal(read('--provisioning-seconds', '0').provisioningSeconds, 0)
    assert.equal(read('--provisioning-seconds', '86400').provisioningSeconds, 86_400)
    for (const wrong of ['86401', '1.5', 'x', '']) {
      assert.throws(() => read('--provisioning-seconds', wrong), ConfigError, wrong)
    }
  })
})

describe('--workers', () => {
  const workers = (...args: string[]) => (readConfig(args, {}) as Config).workers

  test('is a whole number from 1 to 64, by default 1', () => {
    assert.equal(workers(), 1)
    assert.equal(workers('--workers', '1'), 1)
    for (const wrong of ['0', '65', '-1', '1.5', 'x', '']) {
      assert.throws(() => workers(`--workers=${wrong}`), /must be a whole number from 1 to 64/)
    }
  })

  test('needs a database server above 1, and nothing that is of one process', () => {
    const database = ['--workers', '2', '--database', 'postgres://x/y']
    assert.equal(workers(...database), 2)
    assert.throws(() => workers('--workers', '2'), /--workers needs --database/)
    assert.throws(() => workers(...database, '--seed', 'x'), /contradict more --workers/)
    assert.throws(() => workers(...database, '--clock', 'frozen'), /contradict more --workers/)
  })
})

describe('--log-level', () => {
  test('is one at which something is logged, or silent', () => {
    const level = (...args: string[]) => (readConfig(args, {}) as Config).logLevel
    assert.equal(level(), 'info')
    for (const each of ['info', 'error', 'silent']) assert.equal(level('--log-level', each), each)
    for (const none of ['debug', 'warn']) {
      assert.throws(() => level('--log-level', none), /must be one of info, error, silent/)
    }
  })
})

describe('--private-targets', () => {
  test('allows in dev with policy interface, and denies otherwise, unless it is given', () => {
    assert.equal(read('--policy', 'strict').privateTargets, 'deny')
    assert.equal(read().privateTargets, 'allow')
    assert.equal(read('--private-targets', 'deny').privateTargets, 'deny')
    const operate = (...more: string[]) => readConfig([...OPERATE, ...more], {}) as Config
    assert.equal(operate().privateTargets, 'deny')
    assert.equal(operate('--private-targets', 'allow').privateTargets, 'allow')
    assert.throws(() => read('--private-targets', 'maybe'), ConfigError)
  })
})

describe('--radius-coa', () => {
  test('is a host and a port from 1 to 65535, by default none', () => {
    assert.equal(read().radiusCoa, undefined)
    const relay = { host: 'radius-1.example', port: 65_535 }
    assert.deepEqual(read('--radius-coa', 'radius-1.example:65535').radiusCoa, relay)
    assert.deepEqual(read('--radius-coa', '192.0.2.5:1').radiusCoa, { host: '192.0.2.5', port: 1 })
    for (const wrong of ['192.0.2.5', ':3799', 'a:0', 'a:65536', '-r:1', 'a b:1', 'a:1:2']) {
      assert.throws(() => read(`--radius-coa=${wrong}`), /must be a host and a port/, wrong)
    }
  })
})

import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { checkOnetime, withoutOnetime } from './onetime.ts'

const NOW = 1_800_000_000
const HOST = 'www.example.jp'
const PATH = '/a%20b/c.png'

const hex = (seconds: number) => seconds.toString(16)
const md5 = (secret: string, time: string, path = PATH) =>
  createHash('md5').update(`${path}/${secret}/${time}/`).digest('hex')
const hmac = (secret: string, time: string, host = HOST) =>
  createHmac('sha256', secret).update(`${host}\n${PATH}\n${time}`).digest('hex')

const check = (query: string) =>
  checkOnetime({ secrets: ['first', 'second'], host: HOST, path: PATH, query, nowSeconds: NOW })
const signed = (time: string, hash: string) =>
  `webaccel_secure_time=${time}&webaccel_secure_hash=${hash}`

test('allows what either secret has signed, until its second is over', () => {
  for (const secret of ['first', 'second']) {
    assert.equal(check(signed(hex(NOW), md5(secret, hex(NOW)))), 'allowed')
    assert.equal(check(`w=1&${signed(hex(NOW + 9), md5(secret, hex(NOW + 9)))}&h=2`), 'allowed')
  }
  assert.match(check(signed(hex(NOW - 1), md5('first', hex(NOW - 1)))), /expired/)
})

test('signs the form that existing programs make', () => {
  const request = { secrets: ['sample-secret'], host: HOST, path: '/index.html', nowSeconds: 1 }
  const hash = createHash('md5').update('/index.html/sample-secret/5b8d8e97/').digest('hex')
  assert.equal(checkOnetime({ ...request, query: signed('5b8d8e97', hash) }), 'allowed')
  assert.equal(
    checkOnetime({ ...request, query: signed('5b8d8e97', hash.toUpperCase()) }),
    'allowed',
  )
})

test('takes an HMAC over host, path and time in the place of the hash', () => {
  const time = hex(NOW + 60)
  const query = (mac: string) => `webaccel_secure_time=${time}&webaccel_secure_hmac=${mac}`
  assert.equal(check(query(hmac('second', time))), 'allowed')
  assert.match(check(query(hmac('second', time, 'other.example.jp'))), /signature/)
  // One that is given is checked, whatever else is right.
  assert.match(check(`${signed(time, md5('first', time))}&webaccel_secure_hmac=00`), /signature/)
})

test('refuses what is missing, wrong or there twice', () => {
  const time = hex(NOW + 60)
  const good = signed(time, md5('first', time))
  assert.match(check(''), /webaccel_secure_time is missing/)
  assert.match(check(`webaccel_secure_time=${time}`), /webaccel_secure_hash is missing/)
  assert.match(check(signed('zz', md5('first', 'zz'))), /hexadecimal/)
  assert.match(check(signed('f'.repeat(13), md5('first', 'f'.repeat(13)))), /hexadecimal/)
  assert.match(check(signed(time, md5('third', time))), /signature/)
  assert.match(check(signed(time, md5('first', time, '/other'))), /signature/)
  assert.match(check(signed(hex(NOW + 61), md5('first', time))), /signature/)
  assert.match(check(`${good}&webaccel_secure_time=${time}`), /twice/)
})

test('removes its parameters and leaves the others as they came', () => {
  assert.equal(
    withoutOnetime(
      'b=%7E&webaccel_secure_time=1&a=+&webaccel_secure_hash=2&webaccel_secure_hmac=3',
    ),
    'b=%7E&a=+',
  )
  assert.equal(withoutOnetime('webaccel%5Fsecure_time=1&a&&=x'), 'a&&=x')
  assert.equal(withoutOnetime('webaccel_secure_time=1'), '')
})

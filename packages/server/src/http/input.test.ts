import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { BadRequest } from '../kernel/errors.ts'
import { collectBody } from './input.ts'

test('a body whose connection was lost before it is collected is refused', async () => {
  const message = new IncomingMessage(new Socket())
  message.push('half')
  message.destroy(new Error('aborted'))
  await new Promise(setImmediate)
  await assert.rejects(collectBody(message, 1), BadRequest)
})

test('a body that is there before it is collected is whole', async () => {
  const message = new IncomingMessage(new Socket())
  message.push('a ')
  message.push('body')
  message.push(null)
  await new Promise(setImmediate)
  assert.equal((await collectBody(message, 1)).toString(), 'a body')
})

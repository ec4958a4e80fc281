import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answersIn } from './output-rules.ts'

const sent = (id: number, type = 'Disconnect-Request') =>
  `Sent ${type} Id ${id} from 0.0.0.0:4000 to 192.0.2.10:3799 length 53\n\tAcct-Session-Id = "a"\n`
const received = (id: number, type: string, more = '') =>
  `Received ${type} Id ${id} from 192.0.2.10:3799 to 192.0.2.1:4000 length 20\n${more}`
const none = { answer: 'none', reason: 'no answer in time' }

describe('what radclient prints', () => {
  test('gives each packet its answer, in whatever order they come', () => {
    const output =
      sent(7) +
      sent(200, 'CoA-Request') +
      sent(31) +
      received(31, 'Disconnect-NAK', '\tError-Cause = Session-Context-Not-Found\n') +
      received(7, 'Disconnect-ACK') +
      received(200, 'CoA-ACK')
    const errorCause = 'Session-Context-Not-Found'
    assert.deepEqual(answersIn(output, '', 3), [
      { answer: 'ack' },
      { answer: 'ack' },
      { answer: 'nak', errorCause },
    ])
  })

  test('takes a packet that is sent again for the same one', () => {
    const output = sent(7) + sent(8) + sent(8) + sent(7) + received(8, 'Disconnect-ACK')
    assert.deepEqual(answersIn(output, '', 2), [none, { answer: 'ack' }])
  })

  test('knows an identifier that is used again after its answer, or after silence', () => {
    const silence = '(1) No reply from server for ID 9 socket 3\n'
    const output =
      sent(7) +
      received(7, 'Disconnect-ACK') +
      sent(9) +
      silence +
      sent(7) +
      sent(9) +
      received(9, 'CoA-NAK')
    assert.deepEqual(answersIn(output, '', 4), [
      { answer: 'ack' },
      none,
      none,
      { answer: 'nak', errorCause: undefined },
    ])
  })

  test('says when an answer was made with another secret', () => {
    const output = sent(7) + sent(8) + received(7, 'Disconnect-ACK')
    const errors = '(1) Reply verification failed: Received Disconnect-ACK packet\n'
    assert.deepEqual(answersIn(output, errors, 2), [
      { answer: 'ack' },
      { answer: 'none', reason: 'the answer was not made with the secret that we know' },
    ])
  })

  test('takes neither an unknown identifier, nor an attribute of an ACK, nor another kind', () => {
    const output =
      sent(7) +
      received(99, 'Disconnect-ACK') +
      received(7, 'Access-Reject', '\tError-Cause = Residual-Context-Removed\n')
    const reason = 'an answer of another kind'
    assert.deepEqual(answersIn(output, '', 1), [{ answer: 'none', reason }])
    assert.deepEqual(answersIn('', '', 2), [none, none])
  })
})

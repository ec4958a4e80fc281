import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GroupCommit } from './group-commit.ts'

/** Stands at the port for a connection; remembers its statements and fails on demand. */
function recorder(failing: (statement: string) => boolean = () => false) {
  const statements: string[] = []
  return {
    statements,
    writes: 0,
    execute(statement: string) {
      statements.push(statement)
      if (failing(statement)) throw new Error(`${statement} failed`)
    },
  }
}

const count = (statements: readonly string[], wanted: string) =>
  statements.filter((statement) => statement === wanted).length

describe('GroupCommit', () => {
  test('shares one commit among the writes that are waiting', async () => {
    const connection = recorder()
    const group = new GroupCommit(connection)
    const values = await Promise.all([1, 2, 3, 4, 5].map((value) => group.write(async () => value)))
    assert.deepEqual(values, [1, 2, 3, 4, 5])
    assert.equal(count(connection.statements, 'COMMIT'), 1)
    assert.equal(count(connection.statements, 'SAVEPOINT entry'), 0)
  })

  test('answers nobody before the commit, refusals included', async () => {
    const order: string[] = []
    const connection = recorder((statement) => {
      if (statement === 'COMMIT') order.push('commit')
      return false
    })
    const group = new GroupCommit(connection)
    await Promise.allSettled([
      group.write(async () => 'a').then(() => order.push('answered')),
      group
        .write(async () => Promise.reject(new Error('refused')))
        .catch(() => order.push('refused')),
    ])
    assert.deepEqual(order, ['commit', 'answered', 'refused'])
  })

  test('runs each write to its end before the next begins', async () => {
    const order: string[] = []
    const group = new GroupCommit(recorder())
    const work = (name: string) => async () => {
      order.push(`${name} begins`)
      await null
      await new Promise(setImmediate)
      order.push(`${name} ends`)
    }
    await Promise.all([group.write(work('a')), group.write(work('b'))])
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test('goes on after a refusal that has changed nothing', async () => {
    const connection = recorder()
    const group = new GroupCommit(connection)
    const results = await Promise.allSettled([
      group.write(async () => Promise.reject(new Error('refused'))),
      group.write(async () => 'kept'),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    )
    assert.deepEqual(connection.statements, ['BEGIN IMMEDIATE', 'COMMIT'])
  })

  test('rolls back a write that fails after a change, and nothing of the others', async () => {
    const connection = recorder()
    const group = new GroupCommit(connection)
    const results = await Promise.allSettled([
      group.write(async () => 'before'),
      group.write(async () => {
        connection.writes += 1
        throw new Error('refused')
      }),
      group.write(async () => 'after'),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(connection.statements, [
      ...['BEGIN IMMEDIATE', 'ROLLBACK', 'BEGIN IMMEDIATE'],
      ...['SAVEPOINT entry', 'RELEASE entry'],
      ...['SAVEPOINT entry', 'ROLLBACK TO entry', 'RELEASE entry'],
      ...['SAVEPOINT entry', 'RELEASE entry'],
      'COMMIT',
    ])
  })

  test('fails the whole group when the commit fails, and goes on with the next', async () => {
    let failing = true
    const connection = recorder((statement) => statement === 'COMMIT' && failing)
    const group = new GroupCommit(connection)
    const results = await Promise.allSettled([
      group.write(async () => 1),
      group.write(async () => 2),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(count(connection.statements, 'ROLLBACK'), 1)
    failing = false
    assert.equal(await group.write(async () => 3), 3)
  })

  test('begins a second group past the largest size', async () => {
    const connection = recorder()
    const group = new GroupCommit(connection)
    await Promise.all(Array.from({ length: 65 }, (_, index) => group.write(async () => index)))
    assert.equal(count(connection.statements, 'COMMIT'), 2)
  })
})

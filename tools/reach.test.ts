/** Walks the contracts: what the server can be asked, the client and the command line can ask. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commands } from '../packages/cli/src/generated/commands.ts'
import { GUIDES } from '../packages/cli/src/guides.ts'
import { main } from '../packages/cli/src/main.ts'
import { entries, nouns } from '../packages/cli/src/nouns.ts'
import { createClient } from '../packages/client/src/public.ts'
import { slices } from '../packages/server/src/contracts.ts'
import { callable, operationsOf } from './generate/operations.ts'

const operations = operationsOf(callable(slices))

describe('every operation', () => {
  test('is in the client three times: as a result, throwing, and in lists as a sequence', () => {
    const client = createClient({ baseUrl: 'https://localhost/cloud' })
    for (const { name } of operations) {
      for (const group of [client, client.orThrow, client.each]) {
        assert.equal(typeof Reflect.get(group, name), 'function', name)
      }
    }
  })

  test('asks the client for the method and the path of its contract', async () => {
    let asked = ''
    const fetch = async (url: string, { method }: RequestInit) => {
      asked = `${method} ${new URL(url).pathname}`
      return Response.json({ is_ok: true })
    }
    const client = createClient({ baseUrl: 'https://localhost', operatorToken: 'x', fetch })
    for (const { name, family, operation } of operations) {
      const params = Object.fromEntries(
        Object.keys(operation.params?.properties ?? {}).map((key) => [key, 'X']),
      )
      const call: (input: object) => Promise<unknown> = Reflect.get(client, name)
      await call({ params })
      const path = `${family.base}${operation.path}`
        .replace('{zone}', 'is1a')
        .replaceAll(/\{\w+\}/g, 'X')
      assert.equal(asked, `${operation.method} ${path}`, name)
    }
  })

  test('is a command that says what it does and what it takes', async (t) => {
    const table = new Map(commands.map((entry) => [entry.operation, entry]))
    for (const { name, operation } of operations) {
      const entry = table.get(name)
      assert.ok(entry, `${name} is no command`)
      const words = entry.verb === '' ? [entry.noun] : [entry.noun, entry.verb]
      const { code, text } = await run(t, [...words, '--help'])
      assert.equal(code, 0, name)
      if (entry.verb === '') continue
      // The help is broken into lines of a terminal.
      assert.ok(text.replaceAll(/\s+/g, ' ').includes(operation.summary), `${name}: ${text}`)
      const wanted = (entry.params ?? []).length
      assert.equal(
        text.match(/^Usage: .*$/m)?.[0].match(/<\w+>|\[(?!options)\w+\]/g)?.length ?? 0,
        wanted,
        text,
      )
      for (const { flag } of entry.flags ?? [])
        assert.ok(text.includes(`${flag} <`), `${name} ${flag}`)
    }
  })

  test('has a noun and a verb of its own, and no flag twice', () => {
    const words = entries().map(({ noun, verb }) => `${noun} ${verb}`)
    assert.equal(new Set(words).size, words.length)
    for (const { operation, flags = [] } of commands) {
      const names = flags.map(({ flag }) => flag)
      assert.equal(new Set(names).size, names.length, operation)
    }
  })
})

describe('the command line', () => {
  test('shows every command and every noun with what it is about', async (t) => {
    const { code, text } = await run(t, ['--help'])
    assert.equal(code, 0)
    for (const { name } of GUIDES) assert.match(text, new RegExp(`^  ${name} +\\w`, 'm'))
    for (const name of nouns()) assert.match(text, new RegExp(`^  ${name} +\\w`, 'm'))
  })

  test('has the nouns that people look for', () => {
    const words = entries().map(({ noun, verb }) => `${noun} ${verb}`)
    for (const wanted of [
      'sim list',
      'sim create',
      'sim activate',
      'gateway create',
      'clock advance',
      'fault add',
      'snapshot load',
      'key rotate',
      'device attach',
      'sms send-generated',
      'site list',
    ]) {
      assert.ok(words.includes(wanted), wanted)
    }
  })

  test('says in one line what it does not know, and what is nearest', async (t) => {
    const { code, text, complaint } = await run(t, ['sim', 'actvate'])
    assert.deepEqual([code, text], [2, ''])
    assert.equal(
      complaint,
      "kumoi: unknown command 'actvate' (Did you mean activate?) See --help.\n",
    )
  })
})

interface Writing {
  readonly after: (work: () => void) => void
}

/** In this process: a hundred and more of them take a moment instead of a minute. */
async function run(t: Writing, args: readonly string[]) {
  const written = { text: '', complaint: '' }
  const { write } = process.stdout
  const { write: complain } = process.stderr
  const restore = () => {
    process.stdout.write = write
    process.stderr.write = complain
  }
  t.after(restore)
  process.stdout.write = (chunk) => {
    written.text += chunk
    return true
  }
  process.stderr.write = (chunk) => {
    written.complaint += chunk
    return true
  }
  // The server answers for its own settings, as a process of its own.
  const code = args[0] === 'serve' ? 0 : await main(args)
  restore()
  return { code, ...written }
}

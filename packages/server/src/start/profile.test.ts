import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { INTERFACE_PROFILE } from '../kernel/profile.ts'
import { ConfigError } from '../setting-kinds.ts'
import { readProfile } from './profile.ts'

function fileWith(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-profile-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'mine.yaml')
  writeFileSync(file, text)
  return file
}

describe('readProfile', () => {
  test('knows the interface itself', () => {
    assert.equal(readProfile('interface'), INTERFACE_PROFILE)
  })

  test('reads every profile that comes with the server', () => {
    const names = readdirSync(new URL('../../profiles', import.meta.url))
    assert.ok(names.length > 0)
    for (const name of names) {
      const { words } = readProfile(name.replace('.json', ''))
      assert.notEqual(words.chatConfig, INTERFACE_PROFILE.words.chatConfig)
      assert.equal(words.carriers.length, 3)
    }
  })

  test('takes from a file of one’s own what it says, and the rest from the interface', (t) => {
    const file = fileWith(t, 'words: { chatUrl: hook }\ngateways: { bootByThemselves: false }')
    const { words, gateways } = readProfile(file)
    assert.deepEqual(words, { ...INTERFACE_PROFILE.words, chatUrl: 'hook' })
    assert.deepEqual(gateways, { ...INTERFACE_PROFILE.gateways, bootByThemselves: false })
    assert.deepEqual(readProfile(fileWith(t, 'zones: [tk1b]')).zones, ['tk1b'])
  })

  test('says in one line what is wrong with a profile', (t) => {
    const refused = (name: string, message: RegExp) =>
      assert.throws(
        () => readProfile(name),
        (error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, message)
          return true
        },
      )
    refused('nobody', /There is no profile nobody/)
    refused('./nowhere.json', /nowhere\.json cannot be read/)
    refused(fileWith(t, 'words: { chat: x }'), /words/)
    refused(fileWith(t, 'words: { carriers: [one] }'), /words\.carriers/)
    refused(fileWith(t, 'words: { beautifyHeader: "a b" }'), /words\.beautifyHeader/)
    refused(fileWith(t, 'zones: [nowhere]'), /zones\[0\] must be one of/)
    refused(fileWith(t, '- list'), /must be/)
  })
})

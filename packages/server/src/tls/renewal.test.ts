import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { FrozenClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { ServedCertificate } from '../kernel/served-certificate.ts'
import { DAY_MS } from '../kernel/units.ts'
import { giveCertificate, makeTls } from '../testing/tls-files.ts'
import { FileRenewal, openLocal } from './renewal.ts'

function temporary(t: TestContext): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'kumoi-renewal-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  return folder
}

function listening() {
  const errors: string[] = []
  const log: Log = {
    hasRequests: false,
    line: () => undefined,
    error: ({ err }) => errors.push(err instanceof Error ? err.message : String(err)),
  }
  return { errors, parts: { log, machine: new FrozenClock(new Date()) } }
}

function openFiles(folder: string, files = giveCertificate(folder)) {
  const { errors, parts } = listening()
  const served = new ServedCertificate(files)
  const renewal = new FileRenewal(files, { ...parts, served })
  const isServed = ({ cert }: { readonly cert: string }) => served.tls.cert === cert
  /** Nothing is read before a change is a poll old. */
  const pollTwice = () => {
    renewal.poll()
    renewal.poll()
  }
  return { files, errors, served, renewal, isServed, pollTwice }
}

describe('a certificate in files', () => {
  test('is replaced when both were replaced atomically, once nothing changes any more', (t) => {
    const folder = temporary(t)
    const { files, renewal, errors, isServed, pollTwice } = openFiles(folder)
    pollTwice()
    const next = makeTls()
    fs.writeFileSync(`${files.keyFile}.new`, next.key)
    fs.renameSync(`${files.keyFile}.new`, files.keyFile)
    renewal.poll()
    fs.writeFileSync(`${files.certFile}.new`, next.cert)
    fs.renameSync(`${files.certFile}.new`, files.certFile)
    renewal.poll()
    assert.ok(isServed(files))
    renewal.poll()
    assert.ok(isServed(next))
    assert.deepEqual(errors, [])
  })

  test('is replaced when the folder behind a symbolic link is another one', (t) => {
    const folder = temporary(t)
    const [first, second] = [join(folder, '1'), join(folder, '2')]
    const given = giveCertificate(first)
    const link = join(folder, 'current')
    fs.symlinkSync(first, link)
    const linked = { certFile: join(link, 'given.pem'), keyFile: join(link, 'given.key') }
    const { isServed, pollTwice } = openFiles(folder, { ...given, ...linked })
    const next = giveCertificate(second)
    fs.symlinkSync(second, `${link}.new`)
    fs.renameSync(`${link}.new`, link)
    pollTwice()
    assert.ok(isServed(next))
  })

  test('stays while the new one is broken, which is said once, until it is repaired', (t) => {
    const { files, errors, isServed, pollTwice } = openFiles(temporary(t))
    const next = makeTls()
    fs.writeFileSync(files.certFile, next.cert)
    pollTwice()
    pollTwice()
    assert.match(errors.join(), /^The key in \S+ does not belong to the certificate in \S+\.$/)
    fs.rmSync(files.certFile)
    pollTwice()
    assert.match(errors[1] ?? '', /given\.pem cannot be read: it does not exist\.$/)
    giveCertificate(join(files.certFile, '..'), makeTls(['localhost'], -1))
    pollTwice()
    assert.match(errors[2] ?? '', /has expired at/)
    assert.ok(isServed(files))
    fs.writeFileSync(files.keyFile, next.key)
    fs.writeFileSync(files.certFile, next.cert)
    pollTwice()
    assert.ok(isServed(next))
    assert.equal(errors.length, 3)
  })

  test('stays while a pipe is in the place of a file, which is not read', (t) => {
    const { files, errors, isServed, pollTwice } = openFiles(temporary(t))
    fs.rmSync(files.keyFile)
    assert.equal(spawnSync('mkfifo', [files.keyFile]).status, 0)
    pollTwice()
    assert.match(errors.join(), /^\S+given\.key is not a file\.$/)
    assert.ok(isServed(files))
  })

  test('stays while a file cannot be reached, which is said once', (t) => {
    const { files, errors, isServed, pollTwice } = openFiles(temporary(t))
    fs.rmSync(files.certFile)
    fs.symlinkSync(files.certFile, files.certFile)
    pollTwice()
    pollTwice()
    assert.match(
      errors.join(),
      /^The file \S+given\.pem cannot be read: ELOOP: [^,]+, open '\S+'\.$/,
    )
    assert.ok(isServed(files))
    fs.rmSync(files.certFile)
    const next = giveCertificate(join(files.certFile, '..'), makeTls())
    pollTwice()
    assert.ok(isServed(next))
  })

  test('is read at once when that is asked for', (t) => {
    const { files, renewal, isServed } = openFiles(temporary(t))
    const next = giveCertificate(join(files.certFile, '..'), makeTls())
    renewal.reload()
    assert.ok(isServed(next))
  })
})

for (const isKept of [true, false]) {
  describe(`the local certificate ${isKept ? 'in a folder' : 'in memory'}`, () => {
    test('is renewed with less than 30 days left, by the same CA', async (t) => {
      const { errors, parts } = listening()
      const folder = isKept ? join(temporary(t), 'tls') : undefined
      const options = { folder, names: ['localhost'], randomBytes }
      const { served, renewal, ca = '' } = openLocal(options, parts)
      const { machine } = parts
      const first = served.tls
      await machine.advanceTo(new Date(machine.now().getTime() + 366 * DAY_MS))
      renewal.reload()
      assert.equal(served.tls, first)
      await machine.advanceTo(new Date(machine.now().getTime() + 2 * DAY_MS))
      let replaced = 0
      served.onReplace(() => {
        replaced += 1
      })
      // Another process with the same folder finds what the first one has renewed.
      const other = openLocal(options, parts)
      renewal.reload()
      renewal.reload()
      assert.equal(replaced, 1)
      assert.notEqual(served.tls.cert, first.cert)
      if (isKept) assert.deepEqual(served.tls.cert, other.served.tls.cert)
      assert.ok(served.leaf.verify(new X509Certificate(ca).publicKey))
      assert.deepEqual(errors, [])
    })
  })
}

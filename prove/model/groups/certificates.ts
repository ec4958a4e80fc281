/**
 * Certificates with their keys, of the names d0 and d1.example.jp. They are constant, so that the same seed sends the
 * same bytes.
 */
const pem = (what: string, base64: string) => {
  const lines = base64.match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`, ''].join('\n')
}

const CHAIN_0 = [
  'MIIBYTCCAROgAwIBAgIUA1C1YSc2vn7WDy4OkFY+3pDA1QQwBQYDK2VwMBgxFjAUBgNVBAMMDWQwLmV4YW1wbGUuanAwIBcN',
  'MjYxMTE5MDEzMzIyWhgPMjEyNjEwMjYwMTMzMjJaMBgxFjAUBgNVBAMMDWQwLmV4YW1wbGUuanAwKjAFBgMrZXADIQB+z1QU',
  'HOcpvpEsNqDLyfaTh09NXiwF/lWNeLAHzXpjiKNtMGswHQYDVR0OBBYEFGTaci4fMzWNDtX7IsfuYPE5tlhZMB8GA1UdIwQY',
  'MBaAFGTaci4fMzWNDtX7IsfuYPE5tlhZMA8GA1UdEwEB/wQFMAMBAf8wGAYDVR0RBBEwD4INZDAuZXhhbXBsZS5qcDAFBgMr',
  'ZXADQQDntS23O5AyW5yz9kDNPPnjplh3Kag2puUm0uJrKHDmrHCq8Qgoi5orAEhPXPDmuuqFCzPOJNqmXB6dIfQD9UEK',
].join('')
const KEY_0 = 'MC4CAQAwBQYDK2VwBCIEIPRs6QR+oLhryNWk9sB2Jw3w2TbPIQu8rw7kD6ejm7kP'

const CHAIN_1 = [
  'MIIBYTCCAROgAwIBAgIUdJztuvW5bvz91rx+vhwl8+fp4pgwBQYDK2VwMBgxFjAUBgNVBAMMDWQxLmV4YW1wbGUuanAwIBcN',
  'MjYxMTE5MDEzMzIyWhgPMjEyNjEwMjYwMTMzMjJaMBgxFjAUBgNVBAMMDWQxLmV4YW1wbGUuanAwKjAFBgMrZXADIQD23WC8',
  'FCTuy+FdBwPYrHb3aaLYTF5cqQIKjVQrf5tFMKNtMGswHQYDVR0OBBYEFBvCCoMQqI2PwlOIULAFzyCRUs2AMB8GA1UdIwQY',
  'MBaAFBvCCoMQqI2PwlOIULAFzyCRUs2AMA8GA1UdEwEB/wQFMAMBAf8wGAYDVR0RBBEwD4INZDEuZXhhbXBsZS5qcDAFBgMr',
  'ZXADQQBxRyZZuAVSG/z6KXweb70q4ZAKdh4DeLs+UayZf/5u68GEVpDUQfQCbOMMlmMJxO5sDk+p3cRyycI7IZ6xG5QE',
].join('')
const KEY_1 = 'MC4CAQAwBQYDK2VwBCIEIPwjNjHidNfGaKe0K9ZSzDK2ZbwTKu2kY6CJjs4j3VxD'

export const CERTIFICATES = [
  { chain: pem('CERTIFICATE', CHAIN_0), key: pem('PRIVATE KEY', KEY_0) },
  { chain: pem('CERTIFICATE', CHAIN_1), key: pem('PRIVATE KEY', KEY_1) },
]

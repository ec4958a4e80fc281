/** `postgres://user:password@host:port,standby:port/name?sslmode=require` as one address for each host. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^@/?#]*)([/?].*)?$/
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

export function addressesOf(text: string): [string, ...string[]] {
  const [, scheme = '', login = '', hosts = '', rest = ''] = PARTS.exec(text) ?? []
  if (scheme === '') throw new Error('it must be a postgres:// address')
  // The list of hosts is libpq's, and a URL has one.
  const [first = '', ...others] = hosts.split(',').map((host) => {
    const url = new URL(`${scheme}${login}${host}${rest}`)
    const mode = url.searchParams.get('sslmode') ?? 'disable'
    if (!TLS_MODES.includes(mode)) throw new Error(`sslmode=${mode} is not known`)
    url.searchParams.set('sslmode', mode)
    // The words mean what they mean to libpq: `require` encrypts and does not check the certificate.
    url.searchParams.set('uselibpqcompat', 'true')
    return url.href
  })
  return [first, ...others]
}

/** For a server without TLS, where the address only prefers it. */
export function withoutTls(address: string): string {
  return address.replace('sslmode=prefer', 'sslmode=disable')
}

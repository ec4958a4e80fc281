/** Hides what is secret in a body, by the names that the contracts have for it. */

export const HIDDEN = '(hidden)'

/** In lower case: fields of the interface and of the operator API that hold a secret or show one. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'key',
  'nextoriginguardtoken',
  'onetimeurlsecrets',
  'originguardtoken',
  'otp',
  'passcode',
  'password',
  'sealed',
  'secret',
  'secretaccesskey',
  'text',
  'token',
])

/** A body that is not JSON is not shown at all, since nobody knows what in it is secret. */
export function readableBody(body: Buffer | string | undefined): unknown {
  if (body === undefined || body.length === 0) return null
  try {
    return hide(JSON.parse(body.toString()))
  } catch {
    return `(${body.length} bytes)`
  }
}

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name) ? hideValue(inner) : hide(inner),
    ]),
  )
}

/**
 * `url` as the IoT platform writes it carries a token or was given by a user; `URL` is public. Whoever has
 * the address of a chat channel can write there, whatever a profile calls it.
 */
function isSecret(name: string): boolean {
  const lower = name.toLowerCase()
  const isAddress = name === 'url' || (lower.endsWith('_url') && lower !== 'info_url')
  return isAddress || SECRET_NAMES.has(lower)
}

/** An object under such a name has names of its own; null and empty say that there is no secret. */
function hideValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideValue)
  if (typeof value === 'object' && value !== null) return hide(value)
  return value === null || value === '' || typeof value === 'boolean' ? value : HIDDEN
}

/** Values of path parameters that are secrets by their names do not stay in the path. */
export function readablePath(path: string, params: Readonly<Record<string, string>>): string {
  let shown = path
  for (const name in params) {
    const value = params[name]
    if (value && /token|secret/i.test(name)) shown = shown.replaceAll(value, HIDDEN)
  }
  return shown
}

/** NormalizeAE: few forms of Accept-Encoding, so that a URL has few variants. */

export function normalizeAcceptEncoding(
  value: string | undefined,
  mode: 'gzip' | 'brotli',
): string | undefined {
  if (value === undefined) return undefined
  const accepted = acceptedCodings(value)
  const accepts = (...names: string[]) =>
    accepted.get(names.find((name) => accepted.has(name)) ?? '*') ?? false
  const codings = [mode === 'brotli' && accepts('br') && 'br', accepts('gzip', 'x-gzip') && 'gzip']
  return codings.filter((coding) => coding !== false).join(', ') || undefined
}

/** RFC 9110 §12.5.3: a quality of 0 is "not acceptable". */
function acceptedCodings(value: string): Map<string, boolean> {
  const accepted = new Map<string, boolean>()
  for (const element of value.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = element.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    accepted.set(coding, quality === undefined || Number(quality.slice(2)) > 0)
  }
  return accepted
}

import type { Incoming } from './arrival.ts'

/** What addresses in answers begin with: the setting, or how the caller itself came here. */
export function originOf(
  request: Pick<Incoming, 'protocol' | 'host'>,
  publicUrl: string | undefined,
): string {
  return publicUrl ?? `${request.protocol}://${request.host}`
}

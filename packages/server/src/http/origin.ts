import type { FastifyRequest } from 'fastify'

/** What addresses in answers begin with: the setting, or how the caller itself came here. */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host}`
}

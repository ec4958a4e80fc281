import { utcMicros } from '../../kernel/datetime.ts'
import type { StoredFile } from './file-rules.ts'
import type { Project } from './project-rules.ts'

export function fileToWire(file: StoredFile, { mgwId }: Pick<Project, 'mgwId'>) {
  return {
    name: file.name,
    vmgw: mgwId,
    mime_type: file.mimeType,
    size: file.size,
    created_at: utcMicros(file.createdAt),
    updated_at: utcMicros(file.updatedAt),
  }
}

export function downloadToWire(file: StoredFile, { mgwId }: Project, url: string) {
  return { name: file.name, vmgw: mgwId, mime_type: file.mimeType, url, size: file.size }
}

/** Interface: version `/v1` in the path, which ends in `/upload/`. */
export function uploadAddress(file: StoredFile, origin: string): string {
  return `${origin}/v1/projects/${file.projectId}/files/${file.name}/upload/`
}

export function downloadAddress(token: string, origin: string): string {
  return `${origin}/v1/downloads/${token}`
}

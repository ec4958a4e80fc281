/** Contents of files, at the addresses that the calls of file-contract.ts hand out. */
import { defineContract } from '../../kernel/contract.ts'
import { ResourceId, Secret } from '../../kernel/fields.ts'
import type { RawAnswer } from '../../kernel/raw-answer.ts'
import { Type } from '../../kernel/type.ts'
import { File } from './file-contract.ts'
import { FILE_MIB_MAX } from './file-rules.ts'

export const uploadContract = defineContract({
  fileContentPut: {
    method: 'PUT',
    path: '/projects/{project_id}/files/{file_id}/upload/',
    summary: 'Upload the content of a file, in the form field attachment',
    access: 'token',
    params: Type.Object({ project_id: ResourceId, file_id: Type.String() }),
    fileBody: 'attachment',
    bodyLimitMib: FILE_MIB_MAX,
    status: 202,
    bare: true,
    reply: File,
    refuses: {
      bad_request: 'the form is broken, or has no field attachment',
      not_found: 'the file was deleted meanwhile',
      conflict: 'the quota file_bytes of the account would be exceeded',
      request_too_large: `the file is larger than ${FILE_MIB_MAX} MiB`,
    },
  },
})

export const downloadContract = defineContract({
  fileContentGet: {
    method: 'GET',
    path: '/downloads/{token}',
    summary: 'Download the content of a file, whole or one range of it',
    access: 'token',
    params: Type.Object({ token: Secret() }),
    media: 'application/octet-stream',
    reply: Type.Unsafe<RawAnswer>({ type: 'string' }),
    refuses: {
      forbidden: 'the address has expired',
      not_found: 'the file was deleted meanwhile',
    },
  },
})

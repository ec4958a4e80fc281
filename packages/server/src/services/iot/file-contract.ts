/** Files of a project: the interface's calls. Contents travel by the addresses that these hand out. */
import { defineContract } from '../../kernel/contract.ts'
import { ResourceId, Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'

const FilePath = Type.Object({ project_id: ResourceId, file_id: Type.String() })

export const File = Type.Object({
  name: Type.String(),
  vmgw: Type.String(),
  mime_type: Type.String(),
  size: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const path = '/commonserviceitem/{project_id}/iotplatform/vmgw/files/{file_id}'
const badId = 'the file id breaks its pattern'

export const fileContract = defineContract({
  fileStat: {
    method: 'PUT',
    path: `${path}/stat`,
    summary: 'Make a file, or read what it is',
    access: 'arrange',
    params: FilePath,
    reply: Type.Object({ IoTPlatform: File }),
    refuses: { bad_request: badId, not_found: 'there is no such project' },
  },
  fileUploadRequest: {
    method: 'PUT',
    path: `${path}/upload_request`,
    summary: 'Ask for an address and a token to upload with',
    access: 'arrange',
    params: FilePath,
    reply: Type.Object({
      IoTPlatform: Type.Object({ url: Type.String(), token: Secret() }),
    }),
    refuses: { bad_request: badId, not_found: 'there is no such project or no such file' },
  },
  fileDownload: {
    method: 'GET',
    path: `${path}/download`,
    summary: 'Ask for an address to download from',
    access: 'view',
    params: FilePath,
    reply: Type.Object({
      IoTPlatform: Type.Object({
        name: Type.String(),
        vmgw: Type.String(),
        mime_type: Type.String(),
        url: Secret(),
        size: Type.Integer(),
      }),
    }),
    refuses: {
      bad_request: badId,
      not_found: 'there is no such project or file, or nothing was uploaded yet',
    },
  },
})

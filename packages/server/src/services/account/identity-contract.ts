/** Whose key this is, in the form that newer clients ask for (docs/clients.md). */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

export const identityContract = defineContract({
  authContext: {
    method: 'GET',
    path: '/auth/context',
    summary: 'Read which key this is and which account it is limited to',
    access: 'view',
    reply: Type.Object({
      resource_id: Type.Integer(),
      auth_type: Type.Literal('apikey'),
      limited_to_project_id: Type.Integer(),
    }),
    refuses: {},
  },
})

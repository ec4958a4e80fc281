import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])

export const accountContract = defineContract({
  authStatus: {
    method: 'GET',
    path: '/auth-status',
    summary: 'Read whose key this is and what it may do',
    access: 'view',
    reply: Type.Object({
      Account: Type.Object({
        ID: Type.String(),
        Code: Type.String(),
        Name: Type.String(),
        Class: Type.String(),
      }),
      Member: Type.Object({
        Code: Type.String(),
        Class: Type.String(),
        Errors: Type.Array(Type.String()),
      }),
      User: Nullable,
      AuthMethod: Type.String(),
      AuthClass: Type.String(),
      Permission: Type.String(),
      ExternalPermission: Type.String(),
      RESTFilter: Nullable,
      IsAPIKey: Type.Boolean(),
      OperationPenalty: Type.String(),
    }),
    refuses: {},
  },
})

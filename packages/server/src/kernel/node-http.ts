/**
 * `node:http` and `node:https` for those who make servers and requests. An `import` reads every export of a
 * module, and some of these load a whole HTTP client that we do not use: 8 MB, and 20 ms of each start.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')

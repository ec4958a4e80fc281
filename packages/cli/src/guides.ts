/** The commands that are more than one operation. */
export const GUIDES = [
  { name: 'serve', summary: 'start a server (kumoi serve --help lists its settings)' },
  { name: 'edge', summary: 'deliver sites of the web accelerator from this machine' },
  { name: 'exec', summary: 'run a command with a server of its own, which ends with it' },
  { name: 'env', summary: 'print variables for clients: eval "$(kumoi env)"' },
  { name: 'apply', summary: 'apply world files' },
  { name: 'export', summary: 'write the world as a file that can be applied again' },
  { name: 'reset', summary: 'empty the server, or bring back its world or a snapshot' },
  { name: 'backup', summary: 'copy the state of a server, running or not, into a folder' },
  { name: 'restore', summary: 'put a backup into an empty place' },
  { name: 'keys', summary: 'seal all secrets under a new key-encryption key, and check them' },
  { name: 'tail', summary: 'follow what the server is asked' },
  { name: 'doctor', summary: 'find out why it does not work' },
  { name: 'radius', summary: 'write the configuration of a FreeRADIUS that asks the server' },
  { name: 'completion', summary: 'print completion for bash, zsh or fish' },
] as const

export type GuideName = (typeof GUIDES)[number]['name']

/** Whether FreeRADIUS's radclient is here; on Debian it is installed when it is missing and may be. */
import { spawnSync } from 'node:child_process'
import { installPackage } from './debian.ts'

const isThere = () => spawnSync('radclient', ['-v']).error === undefined

/** Why tests that need it do not run; false when they do. */
export function radclientMissing(): string | false {
  if (!isThere()) installPackage('freeradius-utils')
  return isThere() ? false : 'radclient is missing, and could not be installed'
}

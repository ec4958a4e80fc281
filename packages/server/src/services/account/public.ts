/** What other slices and the composition may use of accounts. */
export { ContactInput } from './contact-contract.ts'
export { KeyRing, type MadeKey } from './key-ring.ts'
export type { Account, ApiKey } from './rules.ts'
export { CODE_PATTERN, changeContact, NAME_LENGTH_MAX } from './rules.ts'
export { AccountStore, KeyStore } from './store.ts'

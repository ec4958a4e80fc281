/** What other slices use: a setting by its name. */
export { SettingStore } from './store.ts'

import type { Module } from '../module.ts'
import { settingsSection } from './world.ts'

export const settingsModule: Module = { sections: [settingsSection] }

import { defineTexts } from '../../i18n.ts'

export const overviewText = defineTexts({
  title: ['Overview', '概要'],
})

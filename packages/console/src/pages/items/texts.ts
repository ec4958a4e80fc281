import { defineTexts } from '../../i18n.ts'

export const itemText = defineTexts({
  name: ['Name', '名前'],
  description: ['Description', '説明'],
  tags: ['Tags', 'タグ'],
  tagsHint: ['Separated by commas.', 'カンマ区切り。'],
  nameNeeded: ['A name is needed.', '名前を入力してください。'],
  nameLong: ['At most {max} characters.', '{max} 文字以内です。'],
  create: ['Create', '作成'],
  save: ['Save', '保存'],
  created: ['Created.', '作成しました。'],
  saved: ['Saved.', '保存しました。'],
  deleted: ['Deleted.', '削除しました。'],
  edit: ['Edit', '編集'],
  delete: ['Delete', '削除'],
  id: ['ID', 'ID'],
  createdAt: ['Created', '作成日時'],
  noneMatch: ['Nothing matches this search.', '条件に合うものがありません。'],
  search: ['Search', '検索'],
  actions: ['Actions', '操作'],
  deleteTitle: ['Delete {name}?', '{name} を削除しますか？'],
  deleteNote: ['This cannot be taken back.', 'この操作は取り消せません。'],
})

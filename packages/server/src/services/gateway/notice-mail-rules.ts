/** A notice as a mail, in the language of the account: plain text, and the same as a modest page. */
import type { MailLanguage } from '../../kernel/mail-address.ts'
import type { NoticeDraft } from './notice-rules.ts'
import { BYTES_PER_MB } from './traffic-rules.ts'

/** Subjects are one line in a list. */
const SUBJECT_NAME_LENGTH_MAX = 60

interface Words {
  readonly subject: (name: string) => string
  readonly lead: string
  readonly rows: readonly [name: string, id: string, month: string, quota: string, used: string]
  readonly foot: string
}

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  en: {
    subject: (name) => `Mobile gateway ${name} has passed its traffic quota`,
    lead: 'A mobile gateway of yours has passed its traffic quota of this month.',
    rows: ['Gateway', 'ID', 'Month', 'Quota', 'Traffic so far'],
    foot: 'You get this mail because e-mail notices are enabled in the traffic control of the gateway.',
  },
  ja: {
    subject: (name) => `モバイルゲートウェイ ${name} の通信量が上限を超えました`,
    lead: 'お使いのモバイルゲートウェイの今月の通信量が、設定された上限を超えました。',
    rows: ['ゲートウェイ', 'ID', '対象月', '上限', '現在の通信量'],
    foot: 'このメールは、ゲートウェイのトラフィックコントロールでメール通知が有効なため送信されています。',
  },
}

export function noticeMail(notice: NoticeDraft, language: MailLanguage) {
  const { subject, lead, rows, foot } = WORDS[language]
  const { gatewayId, month, quotaMb, usedBytes } = notice
  // The owner chose it: a line break in it would end a header, or begin a line of the text.
  const name = oneLine(notice.gatewayName) || gatewayId
  const used = Math.floor(usedBytes / BYTES_PER_MB)
  const values = [
    ...[name, gatewayId, `${month.slice(0, 4)}-${month.slice(4)}`],
    ...[`${grouped(quotaMb)} MB`, `${grouped(used)} MB`],
  ]
  const table = rows.map((title, index) => [title, values[index] ?? ''] as const)
  const lines = table.map(([title, value]) => `${title}: ${value}`)
  return {
    subject: subject(cut(name)),
    text: `${[lead, '', ...lines, '', foot].join('\n')}\n`,
    html: page(language, lead, table, foot),
  }
}

function page(
  language: MailLanguage,
  lead: string,
  rows: readonly (readonly [string, string])[],
  foot: string,
): string {
  const cell = 'padding:4px 16px 4px 0;text-align:left;font-weight:normal'
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;color:#222">',
    `<p>${escapeHtml(lead)}</p>`,
    '<table style="border-collapse:collapse">',
    ...rows.map(
      ([title, value]) =>
        `<tr><th style="${cell};color:#666">${escapeHtml(title)}</th><td style="${cell}">${escapeHtml(value)}</td></tr>`,
    ),
    '</table>',
    `<p style="color:#666;font-size:small">${escapeHtml(foot)}</p>`,
    '</body></html>',
    '',
  ].join('\n')
}

/** Control characters, and those that turn the direction of the text that follows them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

function oneLine(text: string): string {
  return text.replace(UNSEEN, ' ').trim()
}

/** By code points: half of a character is none. */
function cut(text: string): string {
  const characters = [...text]
  if (characters.length <= SUBJECT_NAME_LENGTH_MAX) return text
  return `${characters.slice(0, SUBJECT_NAME_LENGTH_MAX - 1).join('')}…`
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

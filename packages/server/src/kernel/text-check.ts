/**
 * Whether both engines can store the strings of a value from outside: U+0000 is in no text of PostgreSQL, and half
 * a character (a lone surrogate) has no UTF-8. It is checked here once, before any handler, so that the engines
 * cannot differ. Nesting is limited, since what reads a value recursively would end in a stack overflow.
 */
import type { Text } from './errors.ts'
import type { Problem } from './schema.ts'

export const DEPTH_MAX = 64

/** The first problem, or undefined. */
export function textProblem(value: unknown, depth = 0): Problem | undefined {
  if (typeof value === 'string') return problemOf(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEPTH_MAX) return { path: [], text: TOO_DEEP }
  for (const [name, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const inName = typeof name === 'string' ? problemOf(name) : undefined
    if (inName !== undefined) return inName
    const problem = textProblem(member, depth + 1)
    if (problem !== undefined) return { ...problem, path: [name, ...problem.path] }
  }
  return undefined
}

/** For a text that is no part of a value, such as one out of a header. */
export function hasNul(text: string): boolean {
  return text.includes('\0')
}

function problemOf(text: string): Problem | undefined {
  if (hasNul(text)) return { path: [], text: NUL }
  return text.isWellFormed() ? undefined : { path: [], text: HALF }
}

const NUL: Text = {
  en: 'has the character U+0000, which no text may have.',
  ja: 'に U+0000 の文字があります。使用できません。',
}

const HALF: Text = {
  en: 'has half a character (a lone surrogate).',
  ja: 'に不完全なサロゲートがあります。',
}

const TOO_DEEP: Text = {
  en: `is nested too deeply: more than ${DEPTH_MAX} levels in all.`,
  ja: `の入れ子が深すぎます (全体で ${DEPTH_MAX} 階層まで)。`,
}

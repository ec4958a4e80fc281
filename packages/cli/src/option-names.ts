export type Options = Readonly<Record<string, unknown>>

/** A flag as commander names its value: `plan-id` is `planId`. */
export function optionName(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * When an action is possible. A page has a table of its actions; each answers with the reason why not, or
 * with undefined. What is not possible is shown with its reason and not hidden. The server decides all the
 * same: tools/allowed.test.ts tries each action in each state.
 */
import { say, type Text } from './i18n.ts'

/** An action's conditions, first to fail first told: `[holds, reason when it does not]`. */
export type Conditions<S> = readonly (readonly [(state: S) => boolean, Text])[]

export function reasonAgainst<S>(conditions: Conditions<S>, state: S): string | undefined {
  const failed = conditions.find(([holds]) => !holds(state))
  return failed === undefined ? undefined : say(failed[1])
}

/** A table of actions as a function: why this one cannot be taken now. */
export function defineAllowed<S, const Name extends string>(
  table: Readonly<Record<Name, Conditions<S>>>,
) {
  return (name: Name, state: S): string | undefined => reasonAgainst(table[name], state)
}

/** Which carriers a SIM may use. */
import { BadRequest } from '../../kernel/errors.ts'

export interface Carrier {
  readonly name: string
  readonly countryCode: string
}

/** Interface, Carrier setting: exactly three exist. */
export const CARRIERS = 3

export interface CarrierChoice {
  readonly name: string
  readonly allow: boolean
}

/**
 * The names that are allowed afterwards: those listed with allow true, once or more often. Undefined
 * stands for all of them, also for a SIM of which nothing was ever said.
 */
export function chooseCarriers(
  choices: readonly CarrierChoice[],
  carriers: readonly Carrier[],
): readonly string[] | undefined {
  const names = carriers.map(({ name }) => name)
  for (const [index, { name }] of choices.entries()) {
    if (names.includes(name)) continue
    const known = names.join(', ')
    throw new BadRequest(
      `network_operator_config[${index}].name is not a carrier; there are: ${known}`,
      `network_operator_config[${index}].name は不明な通信事業者です。利用可能: ${known}`,
    )
  }
  const allowed = names.filter((name) =>
    choices.some((choice) => choice.allow && choice.name === name),
  )
  if (allowed.length === 0) {
    throw new BadRequest(
      'network_operator_config must leave at least one carrier allowed.',
      'network_operator_config では少なくとも 1 つの通信事業者を許可してください。',
    )
  }
  return allowed.length === names.length ? undefined : allowed
}

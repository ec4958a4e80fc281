/** What the parameters of paths and queries are, in words; most follow from their names. */
const WORDS: Readonly<Record<string, string>> = {
  id: 'The id.',
  appliance_id: 'The ID of the gateway.',
  sim_id: 'The ID of the SIM.',
  sms_id: 'The ID of the short message service.',
  code: 'The code of the account.',
  token: 'The token of the key.',
  iccid: 'The ICCID of the card: its number, 19 digits as a rule.',
  serial: 'The serial that the answer carried.',
  Start: 'From this datetime on.',
  End: 'Up to this datetime.',
  From: 'How many results to leave out at the beginning.',
  Count: 'How many results to answer with.',
  target: 'The year and month, six digits.',
  mode: '`add` keeps what the interface has changed since, `replace` does not.',
}

export function describeParameter(key: string): string {
  const words = key.replaceAll(/[_-]/g, ' ')
  return WORDS[key] ?? `The ${words.endsWith(' id') ? `ID of the ${words.slice(0, -3)}` : words}.`
}

/** Registering SIMs: one, or the lines of a CSV file. */
import { cloud } from '../../session.ts'

export interface Registration {
  readonly iccid: string
  readonly passCode: string
  readonly name: string
  readonly tags: readonly string[]
}

/** Answers with the id of the new SIM. */
export async function registerSim(wanted: Registration, signal?: AbortSignal): Promise<string> {
  const { iccid, passCode, name, tags } = wanted
  const answer = await cloud().orThrow.itemCreate(
    {
      body: {
        CommonServiceItem: {
          Provider: { Class: 'sim' },
          ...{ Name: name || iccid, Tags: tags },
          Status: { ICCID: iccid },
          Remark: { PassCode: passCode },
        },
      },
    },
    signal === undefined ? {} : { signal },
  )
  return answer.CommonServiceItem.ID
}

export function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

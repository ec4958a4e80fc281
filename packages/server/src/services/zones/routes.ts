import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import type { zonesContract } from './contract.ts'
import { PLACES, REGIONS } from './rules.ts'
import { listToWire, regionToWire, zoneToWire } from './wire.ts'

export const zonesHandlers: Handlers<typeof zonesContract, Context> = {
  async zoneList() {
    return listToWire('Zones', PLACES.map(zoneToWire))
  },

  async zoneRead({ params }) {
    const found = PLACES.map(zoneToWire).find(({ ID }) => String(ID) === params.zone_id)
    if (found === undefined) {
      throw new NotFound(
        `There is no zone with the id ${params.zone_id}.`,
        `ID ${params.zone_id} のゾーンはありません。`,
      )
    }
    return { Zone: found }
  },

  async regionList() {
    return listToWire('Regions', REGIONS.map(regionToWire))
  },

  async regionRead({ params }) {
    const found = REGIONS.map(regionToWire).find(({ ID }) => String(ID) === params.region_id)
    if (found === undefined) {
      throw new NotFound(
        `There is no region with the id ${params.region_id}.`,
        `ID ${params.region_id} のリージョンはありません。`,
      )
    }
    return { Region: found }
  },
}

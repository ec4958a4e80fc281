import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import { type ListFields, searchList } from '../../kernel/search-list.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { Context } from '../context.ts'
import type { zonesContract } from './contract.ts'
import { placesOf, REGIONS } from './rules.ts'
import { regionToWire, zoneToWire } from './wire.ts'

const regionFields: ListFields<ReturnType<typeof regionToWire>> = {
  ID: ({ ID }) => ID,
  Name: ({ Name }) => Name,
  Description: ({ Description }) => Description,
}

const zoneFields: ListFields<ReturnType<typeof zoneToWire>> = {
  ID: ({ ID }) => ID,
  Name: ({ Name }) => Name,
  Description: ({ Description }) => Description,
  DisplayOrder: ({ DisplayOrder }) => DisplayOrder,
  IsDummy: ({ IsDummy }) => IsDummy,
  'Region.ID': ({ Region }) => Region.ID,
  'Region.Name': ({ Region }) => Region.Name,
}

export function zonesHandlers(zones: readonly Zone[]): Handlers<typeof zonesContract, Context> {
  const places = placesOf(zones).map(zoneToWire)
  const regions = REGIONS.map(regionToWire)
  return {
    async zoneList({ query }) {
      const { page, ...head } = searchList(places, query, zoneFields)
      return { ...head, Zones: page }
    },

    async zoneRead({ params }) {
      const found = places.find(({ ID }) => String(ID) === params.zone_id)
      if (found === undefined) {
        throw new NotFound(
          `There is no zone with the id ${params.zone_id}.`,
          `ID ${params.zone_id} のゾーンはありません。`,
        )
      }
      return { Zone: found }
    },

    async regionList({ query }) {
      const { page, ...head } = searchList(regions, query, regionFields)
      return { ...head, Regions: page }
    },

    async regionRead({ params }) {
      const found = regions.find(({ ID }) => String(ID) === params.region_id)
      if (found === undefined) {
        throw new NotFound(
          `There is no region with the id ${params.region_id}.`,
          `ID ${params.region_id} のリージョンはありません。`,
        )
      }
      return { Region: found }
    },
  }
}

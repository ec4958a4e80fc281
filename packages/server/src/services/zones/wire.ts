import type { Place, Region } from './rules.ts'

/** Numbers here: clients decode the ids of zones and regions as such. */
export function zoneToWire(place: Place, position: number) {
  return {
    ID: Number(place.id),
    DisplayOrder: position + 1,
    Name: place.name,
    Description: place.description,
    IsDummy: place.isSandbox,
    Region: regionToWire(place.region),
  }
}

export function regionToWire({ id, name, nameServers }: Region) {
  return { ID: Number(id), Name: name, Description: name, NameServers: [...nameServers] }
}

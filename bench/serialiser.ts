/**
 * What code that is made for the shape of an item would save against JSON.stringify, which knows no shapes: both write
 * the answer of a GET into a buffer, as it goes out (docs/adr/0174).
 */
const ROUNDS = 5
const TIMES = 200_000
/** All but printable ASCII without the quote and the backslash. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/

type Wire = ReturnType<typeof wireOf>

function wireOf(number: number) {
  const iccid = `8981045${String(number).padStart(12, '0')}`
  return {
    CommonServiceItem: {
      ...{ ID: `1130000${String(number).padStart(5, '0')}`, Name: `meter ${iccid}` },
      ...{ Description: null, Settings: null, SettingsHash: null, Status: { ICCID: iccid } },
      ...{ ServiceClass: 'cloud/sim/1', Availability: 'available' },
      ...{ CreatedAt: '2026-04-01T12:34:56+09:00', ModifiedAt: '2026-04-01T12:34:56+09:00' },
      Provider: { ID: 8000001, Class: 'sim', Name: 'SIM', ServiceClass: 'cloud/sim' },
      ...{ Icon: null, Tags: [] as string[] },
    },
  }
}

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

function made({ CommonServiceItem: item }: Wire): string {
  const { Provider: provider, Status: status, Tags: tags } = item
  return `{"CommonServiceItem":{"ID":${quoted(item.ID)},"Name":${quoted(item.Name)},"Description":null,"Settings":null,"SettingsHash":null,"Status":{"ICCID":${quoted(status.ICCID)}},"ServiceClass":${quoted(item.ServiceClass)},"Availability":${quoted(item.Availability)},"CreatedAt":${quoted(item.CreatedAt)},"ModifiedAt":${quoted(item.ModifiedAt)},"Provider":{"ID":${provider.ID},"Class":${quoted(provider.Class)},"Name":${quoted(provider.Name)},"ServiceClass":${quoted(provider.ServiceClass)}},"Icon":null,"Tags":[${tags.map(quoted).join()}]}}`
}

const items = Array.from({ length: 100 }, (_, number) => wireOf(number))
const buffer = Buffer.alloc(4096)

function microseconds(write: (item: Wire) => string): number {
  const began = performance.now()
  for (let time = 0; time < TIMES; time += 1) {
    buffer.write(write(items[time % items.length] ?? wireOf(0)), 'latin1')
  }
  return ((performance.now() - began) / TIMES) * 1000
}

for (const item of items) {
  if (made(item) !== JSON.stringify(item)) throw new Error('The two do not write the same.')
}
for (let round = 0; round < ROUNDS; round += 1) {
  const own = microseconds(made)
  const engine = microseconds((item) => JSON.stringify(item))
  const ratio = (own / engine).toFixed(2)
  console.log(`made ${own.toFixed(2)} µs, stringify ${engine.toFixed(2)} µs, ratio ${ratio}`)
}

/** A world with many SIMs in the account of the demo key. */
export function manySims(count: number): object {
  const iccid = (n: number) => `8981041${String(n).padStart(12, '0')}`
  return {
    version: 1,
    accounts: [
      {
        ...{ id: '900000099001', code: 'demo', name: 'Demo' },
        member: { code: 'demo00001', class: 'member' },
        keys: [
          {
            ...{ token: 'demo-token', secret: 'demo-secret', permission: 'create' },
            external: ['bill', 'cdn'],
          },
        ],
      },
    ],
    sim_cards: [{ iccid_from: iccid(0), count, passcode: 'many{n}' }],
    sims: Array.from({ length: count }, (_, n) => ({
      account: 'demo',
      CommonServiceItem: { Name: `meter-${(n * 7919) % count}`, Status: { ICCID: iccid(n) } },
    })),
  }
}

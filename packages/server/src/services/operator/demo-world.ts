/**
 * What a first start shows when no world is given. Its key is no secret: it is in the README, and only
 * a server in dev mode, which listens on this machine alone by default, ever has it.
 */
export const DEMO_KEY = { token: 'demo-token', secret: 'demo-secret' }

export const DEMO_WORLD = {
  version: 1,
  accounts: [
    {
      id: '900000099001',
      code: 'demo',
      name: 'Demo',
      member: { code: 'demo00001', class: 'member' },
      keys: [
        { ...DEMO_KEY, permission: 'create', external: ['bill', 'cdn'] },
        { token: 'demo-view', secret: 'demo-view-secret', permission: 'view', external: [] },
      ],
    },
  ],
  sites: [
    {
      account: 'demo',
      Site: {
        ID: '900000099101',
        Name: 'www',
        DomainType: 'own_domain',
        Domain: 'www.example.jp',
        OriginType: '0',
        OriginProtocol: 'https',
        Origin: 'origin.example.jp',
        HostHeader: 'www.example.jp',
        Status: 'enabled',
      },
    },
  ],
  site_usage: [
    {
      site: '900000099101',
      month: '202604',
      AccessCount: 120000,
      BytesSent: 5400000000,
      CacheMissBytesSent: 600000000,
    },
  ],
  sms: [
    {
      account: 'demo',
      CommonServiceItem: {
        ID: '900000099201',
        Name: 'login codes',
        Description: 'one-time passwords',
        Tags: ['demo'],
      },
    },
  ],
  sim_cards: [{ iccid_from: '8981040000000001000', count: 100, passcode: 'demo{n}' }],
  sims: [
    {
      account: 'demo',
      activated: true,
      CommonServiceItem: {
        Name: 'meter-1',
        Tags: ['meter'],
        Status: { ICCID: '8981040000000001000' },
      },
    },
    {
      account: 'demo',
      activated: true,
      CommonServiceItem: {
        Name: 'meter-2',
        Tags: ['meter'],
        Status: { ICCID: '8981040000000001001' },
      },
    },
    {
      account: 'demo',
      activated: true,
      CommonServiceItem: {
        Name: 'meter-3',
        Tags: ['meter'],
        Status: { ICCID: '8981040000000001002' },
      },
    },
    {
      account: 'demo',
      activated: true,
      CommonServiceItem: {
        Name: 'sensor-1',
        Tags: ['sensor'],
        Status: { ICCID: '8981040000000001003' },
      },
    },
  ],
  gateways: [
    {
      account: 'demo',
      zone: 'is1a',
      Appliance: { Name: 'meters' },
      sims: ['8981040000000001001', '8981040000000001002'],
    },
  ],
  projects: [
    {
      account: 'demo',
      CommonServiceItem: { Name: 'sensors' },
      sims: ['8981040000000001003'],
      adapters: [{ type: 'websocket', name: 'dashboard' }],
    },
  ],
  prices: [{ ServiceClassID: 50050, Price: { Base: 8 }, accounts: ['demo'] }],
  bills: [
    {
      account: 'demo',
      Bill: {
        BillID: 1000001,
        Date: '2026-03-01T00:00:00+09:00',
        PayLimit: '2026-04-30T00:00:00+09:00',
        Paid: false,
        Amount: 1188,
      },
      details: [
        {
          Index: 0,
          ContractID: '900000099301',
          ServiceClassID: 50060,
          Usage: 2678400,
          Amount: 1100,
          Name: 'meters',
        },
        {
          Index: 1,
          ContractID: '900000099201',
          ServiceClassID: 50050,
          Usage: 8,
          Amount: 88,
          Name: 'login codes',
        },
      ],
    },
  ],
  maintenances: [
    {
      maintenance_id: 'm-0001',
      zone: 'is1b',
      start_at: '2026-04-10 01:00:00',
      end_at: '2026-04-10 05:00:00',
      title: 'Host maintenance',
      info_url: 'https://status.example.jp/m-0001',
      affects: [{ account: 'demo', resource_class: 'appliance', resource_id: '900000099301' }],
    },
  ],
  fleet: [{ iccid_from: '8981040000000001000', count: 100, seed: 'demo' }],
}

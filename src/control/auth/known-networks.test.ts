import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { privateRanges } from '../../settings/setting-parsers.ts'
import { KnownNetworks, nameClientNetwork, type Standing } from './known-networks.ts'

const DAY_MS = 24 * 3_600_000
const HOME = '203.0.113.9'
const ALICE = 'alice@example.org'

describeCatalog('known networks', (under) => {
  let nowMs: number
  let networks: KnownNetworks

  const open = (): KnownNetworks =>
    new KnownNetworks({
      catalog: under.catalog,
      clock: { nowMs: () => nowMs },
      key: Buffer.alloc(32, 1),
    })

  beforeEach(() => {
    nowMs = 1_800_000_000_000
    networks = open()
  })

  const standing = async (email: string, network: string): Promise<Standing> =>
    await networks.standingOf({ email, network })

  test('an account is known in the network of its sign-in, where others have the standing of a network', async () => {
    expect(await standing(ALICE, HOME)).toBe('unknown')
    await networks.remember({ email: ALICE, network: HOME })
    expect(await standing(ALICE, HOME)).toBe('account')
    expect(await standing('bob@example.org', HOME)).toBe('network')
    expect(await standing(ALICE, '198.51.100.1')).toBe('unknown')
    expect(await standing(HOME, ALICE)).toBe('unknown')
  })

  test('all processes share the known networks', async () => {
    await networks.remember({ email: ALICE, network: HOME })
    networks = open()
    expect(await standing(ALICE, HOME)).toBe('account')
  })

  test('a network is unknown and deleted 90 days after the last sign-in', async () => {
    await networks.remember({ email: ALICE, network: HOME })
    nowMs += 60 * DAY_MS
    await networks.remember({ email: ALICE, network: HOME })
    nowMs += 90 * DAY_MS - 1
    expect(await standing(ALICE, HOME)).toBe('account')
    nowMs += 1
    expect(await standing(ALICE, HOME)).toBe('unknown')
    await networks.remember({ email: 'bob@example.org', network: HOME })
    expect(await under.catalog.selectFrom('known_networks').selectAll().execute()).toHaveLength(1)
  })

  test('an account keeps its 20 most recently used networks', async () => {
    for (let index = 0; index <= 20; index++) {
      await networks.remember({ email: ALICE, network: `network ${index}` })
      nowMs += 1
    }
    const found = [await standing(ALICE, 'network 0'), await standing(ALICE, 'network 1')]
    expect([...found, await standing(ALICE, 'network 20')]).toEqual(['unknown', 'account', 'account'])
  })

  test('beyond 50,000 rows the least recently used ones are deleted', async () => {
    const rows = Array.from({ length: 50_001 }, (_, index) => ({
      account: `account ${index}`,
      network: `network ${index}`,
      last_ms: nowMs - index,
    }))
    for (let start = 0; start < rows.length; start += 5000) {
      await under.catalog
        .insertInto('known_networks')
        .values(rows.slice(start, start + 5000))
        .execute()
    }
    nowMs += 1
    await networks.remember({ email: ALICE, network: HOME })
    const left = await under.catalog
      .selectFrom('known_networks')
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('last_ms').as('last_ms')])
      .executeTakeFirst()
    expect([Number(left?.count), Number(left?.last_ms)]).toEqual([50_001, nowMs - 50_000])
  })

  test('the catalog contains no address in the clear', async () => {
    await networks.remember({ email: ALICE, network: HOME })
    const rows = JSON.stringify(await under.catalog.selectFrom('known_networks').selectAll().execute())
    expect(rows).toContain(String(nowMs))
    expect(rows).not.toContain('alice')
    expect(rows).not.toContain(HOME)
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  // The client's own entries precede the edge's.
  ['10.9.9.9, 1.2.3.4, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, 10.0.0.7, 127.0.0.1', '203.0.113.9'],
  ['192.168.0.5, 127.0.0.1', '192.168.0.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1::6', '2001:db8:1:0'],
  ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ['', ''],
])('%j is the network %j', (forwardedFor, network) => {
  const headers = new Headers({ 'x-forwarded-for': forwardedFor })
  expect(nameClientNetwork(headers, privateRanges())).toBe(network)
})

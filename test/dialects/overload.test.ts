import { afterAll, beforeAll, expect, test } from 'vitest'
import { kindOfSdk, NODE_SDKS, type OpenSdk } from '../faults/sdks/node-sdks.ts'
import { PUBLIC_KEY } from '../harness/service.ts'
import { DialectService } from './dialect-service.ts'
import { bodyOf, VENDORS, type Vendor } from './vendors.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ORIGIN = 'https://shop.example'

/** All bodies at once are three times what the edge holds of one key, and more than it holds of one network. */
const LANES = 40
const BODY_BYTES = 4_000_000

/** What the edge grows by at most. It was 640 with the limits of bodies, whose parsed content comes on top, and 950 without them. */
const GROWTH_MIB_MAX = 800

const EVENTS = 30
const TEST_MS_MAX = 300_000

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start(() => false)
})

afterAll(async () => {
  await dialect?.stop()
})

/** Sends one large body from each lane, and returns the statuses of the answers; `broken` is a connection without one. */
async function flood(vendor: Vendor): Promise<readonly (number | 'broken')[]> {
  const filler = Array.from({ length: BODY_BYTES / 4000 }, () => 'x'.repeat(4000))
  const body = bodyOf(vendor, [vendor.event('overload', { filler })])
  const send = async (): Promise<number | 'broken'> => {
    const headers = { origin: ORIGIN, 'user-agent': FIREFOX, ...vendor.headers?.(PUBLIC_KEY) }
    const answer = await dialect.post(vendor.path(PUBLIC_KEY), body, headers).catch(() => undefined)
    if (answer === undefined) return 'broken'
    if (answer.status >= 300) {
      expect(answer.body).toMatchObject(vendor.refusal as object)
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
      expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
    }
    return answer.status
  }
  return await Promise.all(Array.from({ length: LANES }, send))
}

test(
  'under overload every vendor gets the answer after which its SDK sends again, and all its events arrive',
  async () => {
    const sdks = new Map<string, OpenSdk>()
    for (const [name, start] of Object.entries(NODE_SDKS)) sdks.set(name, await start(dialect.url))
    const before = dialect.edgeMemoryMib()
    let number = 0
    const sendSome = (): void => {
      for (const sdk of sdks.values()) for (let count = 0; count < EVENTS; count++) sdk.send(number++)
    }
    for (const vendor of VENDORS) {
      sendSome()
      const statuses = await flood(vendor)
      const refused = vendor.name.startsWith('posthog') ? 503 : 429
      expect(statuses).toContain(refused)
      // A browser gives up what it sent over a connection that breaks.
      expect([...new Set(statuses)].filter((status) => status === 'broken' || status >= 300)).toEqual([
        refused,
      ])
    }
    expect(dialect.edgePeakMib() - before).toBeLessThan(GROWTH_MIB_MAX)
    await Promise.all(Array.from(sdks.values(), async (sdk) => await sdk.close()))
    for (const name of sdks.keys())
      await dialect.waitForNumber({ kind: kindOfSdk(name), aggregation: 'TOTAL' }, EVENTS * VENDORS.length)
  },
  TEST_MS_MAX,
)

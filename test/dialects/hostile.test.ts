import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { type DialectAnswer, DialectService } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'
import { bodyOf, VENDORS, type Vendor } from './vendors.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ORIGIN = 'https://shop.example'

/** Bodies are bounded, and so is what becomes of them; the process had less than that before. */
const GROWTH_MIB_MAX = 400

let dialect: DialectService
let revokedKey: string
let otherKey: string

beforeAll(async () => {
  dialect = await DialectService.start(() => false)
  revokedKey = await dialect.createRevokedKey()
  otherKey = await dialect.createKeyOfOther()
})

afterAll(async () => {
  await dialect?.stop()
})

async function post(
  vendor: Vendor,
  body: string | Buffer,
  key = PUBLIC_KEY,
  headers = {},
): Promise<DialectAnswer> {
  const own = vendor.headers?.(key)
  return await dialect.post(vendor.path(key), body, {
    origin: ORIGIN,
    'user-agent': FIREFOX,
    ...own,
    ...headers,
  })
}

function expectRefusal(vendor: Vendor, answer: DialectAnswer): void {
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.body).toMatchObject(vendor.refusal as object)
  expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
}

describe.each(VENDORS)('$name', (vendor) => {
  const kind = `hostile_${vendor.name.replace(' ', '_')}`

  test.each([
    ['a private key', () => PRIVATE_KEY],
    ['an unknown key', () => `pub_${'x'.repeat(24)}`],
    ['a revoked key', () => revokedKey],
    ['no key', () => 'none'],
  ])('%s is refused, with a cookie of the console too', async (_, keyOf) => {
    const key = keyOf()
    const body = vendor.body(key, [vendor.event('hostile_key', {})])
    for (const headers of [{}, { cookie: 'session=abc; __Host-session=abc' }]) {
      const answer = await post(vendor, body, key, headers)
      expect(answer.status).toBe(vendor.refusedKey)
      expectRefusal(vendor, answer)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('names of the prototype, odd texts and odd numbers are kept as what they are', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const properties = Object.fromEntries([
      ...names.map((name): [string, unknown] => [name, name]),
      ['nul', 'a\u0000b'],
      ['lone', 'a\ud800b'],
      ['huge', 1e308],
      ['list', [[], {}]],
    ])
    const taken = await post(vendor, bodyOf(vendor, [vendor.event(kind, properties)]))
    expect(taken.status).toBeLessThan(300)
    const [row] = await dialect.eventsOf(kind)
    const expected = { nul: 'a\u0000b', lone: 'a\ufffdb', huge: 1e308, list: '[[],{}]' }
    expect(row?.customProperties).toMatchObject(expected)
    for (const name of names)
      expect(Object.getOwnPropertyDescriptor(row?.customProperties, name)?.value).toBe(name)
    for (const name of names)
      expect((await post(vendor, bodyOf(vendor, [vendor.event(name, {})]))).status).toBeLessThan(300)
  })

  test('a number that no double holds is taken or refused, and nothing breaks', async () => {
    const text = bodyOf(vendor, [vendor.event(`${kind}_number`, { n: 4242 })])
    for (const number of ['1e999', '-1e999', `1${'0'.repeat(400)}`, `0.${'0'.repeat(5000)}1`]) {
      const { status } = await post(vendor, text.replace('4242', number))
      expect(status).toBeLessThan(500)
    }
    expect((await post(vendor, text.replace('4242', 'NaN'))).status).toBe(400)
  })

  test.each([
    ['null', 'null'],
    ['a text', '"text"'],
    ['a number', '7'],
    ['an empty list', '[]'],
    ['a list of lists', '[[[]]]'],
    ['an object of the wrong parts', '{"batch":{},"events":7,"data":[[]],"payload":[],"properties":[]}'],
  ])('%s in place of a request is answered in the form of the vendor', async (_, body) => {
    const answer = await post(vendor, body)
    if (answer.status >= 400) expectRefusal(vendor, answer)
    else expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(answer.status).toBeLessThan(500)
  })

  test('bodies that cost more than they weigh leave the edge alive and in its size', async () => {
    const event = bodyOf(vendor, [vendor.event('hostile_raw', { text: 'x'.repeat(100) })])
    const before = dialect.edgeMemoryMib()
    const [head = '', tail = ''] = [event.slice(0, -1), event.slice(-1)]
    const member = tail === ']' ? ',' : ',"more":'
    const bodies: readonly Buffer[] = [
      ...unreadableBodies(event).map(([, body]) => body),
      Buffer.from(`${head}${member}[${'{},'.repeat(1_000_000)}{}]${tail}`),
      Buffer.from(`${head}${member}[${'0,'.repeat(1_000_001)}0]${tail}`),
    ]
    const answers = await Promise.all([...bodies, ...bodies].map(async (body) => await post(vendor, body)))
    for (const answer of answers) expectRefusal(vendor, answer)
    // Blanks are legal, however many.
    const blanks = gzipSync(Buffer.from(`${head}${' '.repeat(7_000_000)}${tail}`))
    expect((await post(vendor, blanks)).status).toBeLessThan(500)
    expect(dialect.edgeMemoryMib() - before).toBeLessThan(GROWTH_MIB_MAX)
    const after = `${kind}_after`
    expect((await post(vendor, bodyOf(vendor, [vendor.event(after, {})]))).status).toBeLessThan(300)
    await dialect.eventsOf(after)
  })
})

test('an event with the key of another project is counted in neither', async () => {
  const [posthog] = VENDORS
  const event = { ...posthog?.event('hostile_other', {}), api_key: otherKey }
  expect(
    (await dialect.post('/posthog/e/', JSON.stringify({ api_key: PUBLIC_KEY, batch: [event] }))).status,
  ).toBe(200)
  const mixed = { event: 'hostile_other', properties: { distinct_id: 'a', token: otherKey } }
  const own = { event: 'hostile_own', properties: { distinct_id: 'a', token: PUBLIC_KEY } }
  await dialect.post('/mixpanel/track?verbose=1', JSON.stringify([own, mixed]))
  await dialect.eventsOf('hostile_own')
  expect(await dialect.explore('hostile_other')).toEqual([])
})

import { expect, test } from 'vitest'
import type { ForeignSender } from '../foreign/foreign-batch.ts'
import { readOpenpanelRequest } from './read-request.ts'

const SENDER: ForeignSender = {
  library: 'web',
  libraryVersion: '1.4.1',
  origin: 'https://shop.test',
  isOnDevice: true,
  client: { place: 'request', agent: 'request' },
}

/** The only item of a request. */
function read(payload: object, sender: Partial<ForeignSender> = {}, type = 'track') {
  const batch = readOpenpanelRequest(Buffer.from(JSON.stringify({ type, payload })), {
    dialect: 'openpanel',
    form: 'payload',
    key: 'pub_test',
    receivedMicros: 1_795_355_895_814_000,
    listsResults: true,
    sender: { ...SENDER, ...sender },
  })
  const [item] = batch.ok ? batch.value.items : []
  if (!item) throw new Error('the request is refused')
  const { keys = [], values = [] } = item.event?.properties ?? {}
  return { ...item, properties: Object.fromEntries(keys.map((key, index) => [key, values[index]])) }
}

test.each([
  ['https://shop.test/a?b=1', 'https://shop.test', 'page_view', { $url: 'https://shop.test/a?b=1' }],
  ['/cart', 'https://shop.test', 'page_view', { $url: 'https://shop.test/cart' }],
  ['/cart', '', 'screen_view', { screen_name: '/cart' }],
  ['/cart', 'capacitor://localhost', 'screen_view', { screen_name: '/cart' }],
  ['Checkout', 'https://shop.test', 'screen_view', { screen_name: 'Checkout' }],
])('a view of %s from a page of "%s" is a %s', (path, origin, kind, properties) => {
  const item = read({ name: 'screen_view', properties: { __path: path } }, { origin })
  expect(item.event?.kind).toBe(kind)
  expect(item.properties).toMatchObject(properties)
})

test('the properties of the SDK have their places, and those of the caller their names', () => {
  const properties = {
    __title: 'Lamps',
    __referrer: '',
    __duration: 5,
    __own: 1,
    $own: 2,
    own: 3,
    __revenue: 4,
  }
  expect(read({ name: 'op_a', properties }).properties).toEqual({
    $lib: 'openpanel-web',
    $lib_version: '1.4.1',
    $title: 'Lamps',
    __own: 1,
    own: 3,
    revenue: 4,
  })
})

test('only a time makes a repeated event the same one', () => {
  const timed = { name: 'op_a', properties: { __timestamp: '2026-11-20T10:00:00Z' } }
  expect(read(timed).event?.eventId).toBe(read(timed).event?.eventId)
  expect(read({ name: 'op_a' }).event?.eventId).not.toBe(read({ name: 'op_a' }).event?.eventId)
})

test('a visitor without an id is cookieless, and a user of a server has no session', () => {
  expect(read({ name: 'op_a' })).toMatchObject({ event: { cookieless: true }, device: undefined })
  expect(read({ name: 'op_a', profileId: 7 })).toMatchObject({ event: { distinctId: '7' }, device: '7' })
  const ofServer = read({ name: 'op_a', profileId: 7 }, { isOnDevice: false })
  expect(ofServer).toMatchObject({ event: { distinctId: '7', cookieless: false }, device: undefined })
})

test('a part of a recording is dropped, small or large, so that the SDK does not send it again', () => {
  const payload = 'x'.repeat(2 * 1024 * 1024)
  expect(read({ chunk_index: 0, payload }, {}, 'replay').dropped).toBe('recordings_not_supported')
})

test('the traits of a user are without the global properties of the SDK', () => {
  const item = read(
    { profileId: 'a', email: 'a@b.test', properties: { __referrer: 'x', tier: 1 } },
    {},
    'identify',
  )
  expect(Object.fromEntries(item.identification?.traits ?? [])).toEqual({ email: '"a@b.test"', tier: '1' })
})

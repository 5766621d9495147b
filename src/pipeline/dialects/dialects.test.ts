import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { asProjectId } from '../../contract/ids.ts'
import { EventColumns } from '../encode/event-columns.ts'
import type { Enricher } from '../enrich/enricher.ts'
import { decodeForeign, ForeignRows } from '../foreign-decoder.ts'
import { ImpliedClaims } from '../identify/merge-guards.ts'
import type { Outcome } from '../task.ts'
import { TypedEventCheck } from '../typed-events/typed-event-check.ts'
import { DescribedWarnings } from '../warnings/request-warnings.ts'
import type { ForeignRequest } from './foreign/foreign-batch.ts'
import { EVENTS_MAX } from './foreign/read-items.ts'

const KEY = 'pub_test'
const RECEIVED_MICROS = 1_795_355_895_814_000

const PLAIN: Enricher = {
  forRequest: ({ domains }) => ({
    geo: undefined,
    bot: undefined,
    userAgent: undefined,
    botMark: 'removed',
    domains,
  }),
  enrich: () => {},
  close: () => {},
}

/** Every form of every dialect. */
const FORMS = {
  posthog: ['capture', 'engage', 'v1', 'recordings'],
  segment: ['batch', 'track', 'identify', 'page', 'screen', 'group', 'alias', 'merge'],
  mixpanel: ['track', 'track-on-device', 'import', 'engage', 'groups'],
  amplitude: ['events', 'identify', 'groups'],
  plausible: ['event'],
  umami: ['send', 'batch'],
  openpanel: ['payload'],
  ga4: ['collect', 'debug'],
} as const satisfies Record<ForeignRequest['dialect'], readonly string[]>

const REQUESTS = Object.entries(FORMS).flatMap(([dialect, forms]) =>
  forms.map((form) => ({ dialect: dialect as ForeignRequest['dialect'], form })),
)

/** Names that some dialect gives a meaning, and names that every object has. */
const NAMES = [
  '__proto__ constructor toString hasOwnProperty valueOf length',
  'batch data events event name n type event_type payload properties props p params event_properties',
  'uuid messageId insert_id $insert_id time timestamp originalTimestamp sentAt sent_at timestamp_micros offset',
  'distinct_id $distinct_id user_id userId anonymousId device_id $device_id $user_id id client_id previousId',
  'api_key token writeKey $token context traits options integrations library $lib mp_lib platform session_id',
  '$session_id sessionId $set $set_once $setOnce $unset $delete $add user_properties revenue $ price quantity',
  'currency amount url u referrer r hostname screen title ip $ip userAgent user_agent $user_agent alias category',
  'app device os campaign page locale device user_location ip_override value $cookieless_mode cookieless_mode',
  'profileId groups __path __title __referrer __revenue __timestamp __deviceId __identify __ip __device',
].flatMap((line) => line.split(' '))

const TEXTS = [
  ...NAMES,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '𝄞'.repeat(1100),
  'x'.repeat(70_000),
  '$identify',
  '$create_alias',
  '$groupidentify',
  'track',
  'identify',
  'page',
  'alias',
  'engagement',
  'performance',
  '$remote',
  '203.0.113.9',
  '[]',
  '{"a":1}',
  '2026-05-01T10:00:00Z',
  '-271821-04-20T00:00:00Z',
  KEY,
  '01980000-0000-7000-8000-000000000001',
]

const NUMBERS = [0, -0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, 1.5, RECEIVED_MICROS, 1_795_355_895]

const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.string({ maxLength: 8 }))
const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...TEXTS) }, fc.string({ unit: 'binary' }))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'large', withCrossShrink: true },
    text,
    fc.constantFrom(...NUMBERS),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    // Not `fc.dictionary`: a name of the prototype must be a member like any other.
    fc.array(fc.tuple(name, tie('value')), { maxLength: 12 }).map((members) => Object.fromEntries(members)),
  ),
}))

/** A valid event of each form, over which random members are written; the others are only ever random. */
const VALID = {
  capture: { event: 'step', distinct_id: 'ann', properties: { $lib: 'web' } },
  v1: { event: 'step', distinct_id: 'ann', uuid: '01980000-0000-7000-8000-000000000001' },
  engage: { distinct_id: 'ann', $distinct_id: 'ann', $set: { plan: 'pro' } },
  batch: { type: 'track', event: 'step', userId: 'ann', payload: { name: 'step' } },
  track: { event: 'step', userId: 'ann', properties: { distinct_id: 'ann', time: 1_795_355_895 } },
  'track-on-device': { event: 'step', properties: { distinct_id: '$device:a', mp_lib: 'web' } },
  import: { event: 'step', properties: { distinct_id: 'ann', time: 1_795_355_895, $insert_id: 'a' } },
  identify: { userId: 'ann', user_id: 'ann', traits: { plan: 'pro' }, user_properties: { plan: 'pro' } },
  page: { anonymousId: 'a1', properties: { url: 'https://shop.test/' } },
  screen: { anonymousId: 'a1', name: 'Cart' },
  alias: { userId: 'ann', previousId: 'a1' },
  events: { event_type: 'step', user_id: 'ann', device_id: 'd1', event_properties: {} },
  event: { name: 'step', url: 'https://shop.test/', props: {} },
  send: { type: 'event', payload: { name: 'step', data: {} } },
  payload: { type: 'track', payload: { name: 'step', properties: { __path: 'https://shop.test/' } } },
  collect: { name: 'step', params: { session_id: '1' } },
  debug: { name: 'step', params: {} },
} as const satisfies Partial<Record<(typeof REQUESTS)[number]['form'], object>>

/** A valid event with some members replaced, in the place where its form has its events. */
function disturb({ dialect, form }: (typeof REQUESTS)[number], members: object): unknown {
  const record = { ...(Object.hasOwn(VALID, form) ? VALID[form as keyof typeof VALID] : {}), ...members }
  if (dialect === 'ga4') return { client_id: 'c1', events: [record] }
  if (dialect === 'posthog') return { batch: [record] }
  if (dialect === 'umami' && form === 'batch') return [{ ...VALID.send, ...members }]
  if (form === 'batch') return { batch: [record] }
  return form === 'events' ? { events: [record] } : record
}

const members = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs): object => Object.fromEntries(pairs))

interface Decoded {
  readonly outcome: Outcome
  readonly columns: EventColumns
  readonly rows: ForeignRows
}

function decode(bytes: Buffer, { dialect, form }: (typeof REQUESTS)[number]): Decoded {
  const [columns, rows] = [new EventColumns(), new ForeignRows()]
  const outcome = decodeForeign(
    {
      projectId: asProjectId(1),
      codec: 'json',
      coding: 'identity',
      bytes,
      client: { address: '203.0.113.9', userAgent: 'Mozilla/5.0', headers: undefined },
      isPublicKey: true,
      domains: [],
      blockedKinds: [],
    },
    { dialect, form, listsResults: true, key: KEY, receivedMicros: RECEIVED_MICROS },
    {
      columns,
      check: new TypedEventCheck('off'),
      enricher: PLAIN,
      bodyBytesMax: 1024 * 1024,
      rows,
      claims: new ImpliedClaims(),
      described: new DescribedWarnings(),
      requestIndex: 0,
    },
  )
  return { outcome, columns, rows }
}

test.each(REQUESTS)('JSON of any shape is taken or refused: $dialect, $form', (request) => {
  fc.assert(
    fc.property(
      fc.oneof(
        value,
        members.map((some) => disturb(request, some)),
      ),
      (sent) => {
        const { outcome, columns, rows } = decode(Buffer.from(JSON.stringify(sent)), request)
        if ('code' in outcome) {
          expect(outcome.code).toMatch(/^(invalid_argument|resource_exhausted|unauthenticated)$/)
          return
        }
        expect(outcome.accepted).toBeGreaterThanOrEqual(0)
        expect(columns.rowCount).toBeLessThanOrEqual(outcome.accepted)
        for (const line of rows.identifyRows.split('\n').filter(Boolean)) JSON.parse(line)
        JSON.stringify(outcome.results)
      },
    ),
    { numRuns: propertyRuns(150) },
  )
})

test.each(REQUESTS.filter(({ form }) => Object.hasOwn(VALID, form)))(
  'an event without a disturbance is taken: $dialect, $form',
  (request) => {
    const { outcome, columns, rows } = decode(Buffer.from(JSON.stringify(disturb(request, {}))), request)
    expect(outcome).toMatchObject({ accepted: 1 })
    expect(columns.rowCount + rows.identifyCount + Number(request.form === 'debug')).toBeGreaterThan(0)
  },
)

/** A valid request of a form with `count` copies of its event; `undefined` where it has no list. */
function repeat(request: (typeof REQUESTS)[number], count: number): unknown {
  const sent = disturb(request, {})
  const copies = (list: unknown): readonly unknown[] =>
    Array(count).fill(Array.isArray(list) ? list[0] : list)
  if (Array.isArray(sent) || request.dialect === 'mixpanel') return copies(sent)
  const { batch, events } = sent as { readonly batch?: unknown; readonly events?: unknown }
  if (batch !== undefined) return { batch: copies(batch) }
  return events === undefined ? undefined : { client_id: 'c1', events: copies(events) }
}

const LISTS = REQUESTS.filter(
  (request) => Object.hasOwn(VALID, request.form) && repeat(request, 1) !== undefined,
)

test('every dialect but two takes lists of events', () => {
  const dialects = LISTS.map(({ dialect }) => dialect)
  expect(Object.keys(FORMS).filter((dialect) => !dialects.some((one) => one === dialect))).toEqual([
    'plausible',
    'openpanel',
  ])
})

test.each(LISTS)('a request of $dialect, $form, has a limited number of events', (request) => {
  const ofCount = (count: number): Outcome =>
    decode(Buffer.from(JSON.stringify(repeat(request, count))), request).outcome
  expect(ofCount(EVENTS_MAX)).toMatchObject({ accepted: EVENTS_MAX })
  expect(ofCount(EVENTS_MAX + 1)).toMatchObject({ reason: 'BODY_TOO_LARGE' })
})

test.each(REQUESTS)('bytes of any kind are refused: $dialect, $form', (request) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const { outcome } = decode(Buffer.from(bytes), request)
      expect('code' in outcome ? outcome.code : 'taken').toMatch(
        /^(invalid_argument|resource_exhausted|unauthenticated|taken)$/,
      )
    }),
    { numRuns: propertyRuns(100) },
  )
})

test('names of the prototype are names of properties and events like any other', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const members = (member: unknown): object => Object.fromEntries(names.map((one) => [one, member]))
  for (const one of names) {
    const record = {
      event: one,
      distinct_id: 'ann',
      uuid: one,
      properties: members(1),
      timestamp: '2026-05-01T10:00:00Z',
    }
    const { outcome, columns } = decode(Buffer.from(JSON.stringify({ batch: [record] })), {
      dialect: 'posthog',
      form: 'v1',
    })
    expect(outcome).toMatchObject({ accepted: 1, results: [{ id: one, dropped: undefined, changes: [] }] })
    expect(columns.rowCount).toBe(1)
  }
})

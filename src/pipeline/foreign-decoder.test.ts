import { expect, test } from 'vitest'
import { asProjectId } from '../contract/ids.ts'
import type { ForeignRequest } from './dialects/foreign/foreign-batch.ts'
import { EventColumns } from './encode/event-columns.ts'
import type { Enricher } from './enrich/enricher.ts'
import { decodeForeign, ForeignRows } from './foreign-decoder.ts'
import { ImpliedClaims } from './identify/merge-guards.ts'
import type { Outcome } from './task.ts'
import { TypedEventCheck } from './typed-events/typed-event-check.ts'
import { DescribedWarnings } from './warnings/request-warnings.ts'

const KEY = 'pub_test'
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

const SEGMENT = { dialect: 'segment', form: 'batch' } as const
const POSTHOG = { dialect: 'posthog', form: 'capture' } as const
const GA4 = { dialect: 'ga4', form: 'collect' } as const
const GA4_DEBUG = { dialect: 'ga4', form: 'debug' } as const

interface Decoded {
  readonly outcome: Outcome
  readonly rows: ForeignRows
  readonly claimed: readonly string[]
}

interface DecodeOptions {
  readonly claims?: ImpliedClaims
  readonly dialect?: Pick<ForeignRequest, 'dialect' | 'form'>
  readonly enricher?: Enricher
  readonly described?: DescribedWarnings
  /** The key of the body. */
  readonly writeKey?: string
}

/** Decodes one batch in a task of its own. */
function decode(
  messages: readonly unknown[],
  {
    claims = new ImpliedClaims(),
    dialect = SEGMENT,
    enricher = PLAIN,
    described = new DescribedWarnings(),
    writeKey = KEY,
  }: DecodeOptions = {},
): Decoded {
  const rows = new ForeignRows()
  const outcome = decodeForeign(
    {
      projectId: asProjectId(1),
      codec: 'json',
      coding: 'identity',
      bytes: Buffer.from(JSON.stringify({ writeKey, client_id: 'c1', batch: messages, events: messages })),
      client: { address: undefined, userAgent: undefined, headers: undefined },
      isPublicKey: true,
      domains: [],
      blockedKinds: ['blocked'],
    },
    { ...dialect, listsResults: false, key: KEY, receivedMicros: 1_795_355_895_814_000 },
    {
      columns: new EventColumns(),
      check: new TypedEventCheck('off'),
      enricher,
      bodyBytesMax: 1024 * 1024,
      rows,
      claims,
      described,
      requestIndex: 0,
    },
  )
  const lines = rows.identifyRows.split('\n').filter(Boolean)
  const claimed = lines.map((line) => {
    const row = JSON.parse(line) as { readonly external_id: string; readonly anonymous_id: string }
    return `${row.external_id} < ${row.anonymous_id}`
  })
  return { outcome, rows, claimed }
}

const track = (fields: object): object => ({ type: 'track', event: 'step', anonymousId: 'a1', ...fields })

test('a claim that events imply is stored once, and one that is made is stored every time', () => {
  const claims = new ImpliedClaims()
  const signedIn = track({ userId: 'ann' })
  expect(decode([signedIn, signedIn], { claims }).claimed).toEqual(['ann < a1'])
  expect(decode([signedIn], { claims }).claimed).toEqual([])
  expect(decode([track({ userId: 'bob' })], { claims }).claimed).toEqual(['bob < a1'])
  const identify = { type: 'identify', userId: 'ann', anonymousId: 'a1' }
  expect(decode([identify], { claims }).claimed).toEqual(['ann < a1'])
  expect(decode([identify], { claims }).claimed).toEqual(['ann < a1'])
})

test('an event with two ids implies a claim, which is told apart from an identify', () => {
  const impliedBy = (...messages: readonly object[]): readonly unknown[] =>
    decode(messages)
      .rows.identifyRows.split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { readonly implied?: number }).implied)
  const identify = { type: 'identify', userId: 'ann', anonymousId: 'a1' }
  expect(impliedBy(track({ userId: 'ann' }))).toEqual([1])
  expect(impliedBy(identify)).toEqual([undefined])
  expect(impliedBy(track({ userId: 'ann' }), identify)).toEqual([undefined])
})

test('a person with several anonymous ids has one row for each, and traits in one of them', () => {
  const messages = [
    track({ userId: 'ann', anonymousId: 'a1' }),
    { type: 'identify', userId: 'ann', anonymousId: 'a2', traits: { plan: 'pro', old: null } },
  ]
  const { rows, claimed } = decode(messages)
  expect(claimed).toEqual(['ann < a1', 'ann < a2'])
  const [first, second] = rows.identifyRows.split('\n')
  expect(JSON.parse(first ?? '')).toMatchObject({ traits: { plan: '"pro"' }, removed_traits: ['old'] })
  expect(JSON.parse(second ?? '')).toMatchObject({ traits: {}, removed_traits: [] })
})

test('only kept events of devices without a session get one', () => {
  const web = { library: { name: 'analytics.js' } }
  const { rows, outcome } = decode([
    track({ context: web }),
    track({ context: web, event: 'blocked' }),
    track({ context: { ...web, sessionId: 7 } }),
    track({ context: { library: { name: 'analytics-python' } } }),
    track({ context: web, anonymousId: undefined, userId: 'ann' }),
  ])
  expect(outcome).toMatchObject({ accepted: 4, droppedByReason: { blocked_kind: 1 } })
  expect(rows.deviceRows.map(({ row, device }) => [row, device])).toEqual([[0, 'a1']])
})

test('PostHog’s libraries without sessions get them by the device, except on servers and without a cookie', () => {
  const capture = (properties: object): object => ({ event: 'step', distinct_id: 'ann', properties })
  const web = { $lib: 'posthog-flutter', $device_id: 'd1' }
  const { rows } = decode(
    [
      capture(web),
      capture({ ...web, $session_id: 's1' }),
      capture({ ...web, $lib: 'posthog-python' }),
      capture({ ...web, $is_server: true }),
      capture({ $lib: 'posthog-flutter' }),
    ],
    { dialect: POSTHOG },
  )
  expect(rows.deviceRows.map(({ row, device }) => [row, device])).toEqual([[0, 'd1']])
})

test('an event is enriched with the facts of its client, whatever client the events beside it have', () => {
  const seen: (string | undefined)[] = []
  const enricher: Enricher = {
    ...PLAIN,
    forRequest: (request) => ({ ...PLAIN.forRequest(request), domains: [request.userAgent ?? 'none'] }),
    enrich: (_, { domains }) => seen.push(domains[0]),
  }
  const ofServer = (userAgent?: string): object => ({ library: { name: 'analytics-node' }, userAgent })
  const web = { library: { name: 'analytics.js' } }
  const contexts = [ofServer('A'), ofServer('B'), web, ofServer('A'), ofServer(), web]
  const messages = contexts.map((context) => track({ context }))
  decode(messages, { enricher })
  expect(seen).toEqual(['A', 'B', 'none', 'A', 'none', 'none'])
})

test('a request that only checks events has no warnings, and takes the sample from none', () => {
  const described = new DescribedWarnings()
  const warningsOf = (dialect: typeof GA4 | typeof GA4_DEBUG): unknown => {
    const { outcome } = decode([{ params: {} }], { dialect, described })
    return 'warnings' in outcome && outcome.warnings?.map(({ sample }) => sample !== '')
  }
  expect([GA4_DEBUG, GA4, GA4].map(warningsOf)).toEqual([false, [true], [false]])
})

test('what cannot be stored of a batch is dropped, and all else is kept', () => {
  const { outcome } = decode([
    track({}),
    track({ event: undefined }),
    7,
    track({ event: 'blocked' }),
    { type: 'group', groupId: 'acme', userId: 'ann' },
    track({ anonymousId: undefined }),
    track({ properties: { bio: 'x'.repeat(2000) } }),
  ])
  expect(outcome).toMatchObject({
    accepted: 2,
    droppedByReason: {
      no_name: 1,
      not_an_object: 1,
      blocked_kind: 1,
      groups_not_supported: 1,
      no_distinct_id: 1,
    },
    changedByReason: { text_cut: 1 },
  })
})

test('a body with another key than its request is refused as a whole', () => {
  expect(decode([track({})]).outcome).toMatchObject({ accepted: 1 })
  const refusal = { code: 'unauthenticated', reason: 'INVALID_API_KEY' }
  expect(decode([track({})], { writeKey: 'pub_other' }).outcome).toMatchObject(refusal)
})

test('of several changes to a trait in one request the last one counts, and setting once changes nothing that is set or removed', () => {
  const change = (properties: object): object => ({ event: '$set', distinct_id: 'ann', properties })
  const { rows } = decode(
    [
      change({ $set_once: { first: 1, plan: 'free', gone: 1 }, $set: { kept: 1, left: 1 } }),
      change({ $set_once: { first: 2 }, $set: { plan: 'pro', back: 1 }, $unset: ['gone', 'old', 'left'] }),
      change({ $set_once: { kept: 2, old: 1 }, $unset: ['back'] }),
      change({ $set: { back: 2 } }),
    ],
    { dialect: POSTHOG },
  )
  const row = JSON.parse(rows.identifyRows) as {
    readonly traits: object
    readonly traits_once: object
    readonly removed_traits: readonly string[]
  }
  expect(row.traits).toEqual({ plan: '"pro"', kept: '1', back: '2' })
  expect(row.traits_once).toMatchObject({ first: '1' })
  for (const name of ['kept', 'old']) expect(row.traits_once).not.toHaveProperty(name)
  expect([...row.removed_traits].sort()).toEqual(['gone', 'left', 'old'])
})

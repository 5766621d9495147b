import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventsBlockBuilder } from '../../../test/harness/native-twin/events-block.ts'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { asProjectId } from '../../contract/ids.ts'
import { type ClickHouse, insertNative } from '../../store/clickhouse/client.ts'
import { decodeJson } from '../decode/decode-batch.ts'
import type { Event, Property, PropertyValue } from '../event/event.ts'
import { EventColumns, type FinishRow, type RowContext } from './event-columns.ts'
import { toNativeBlocks } from './stored-block.ts'

const PROJECT = asProjectId(7)
const CONTEXT: RowContext = { projectId: PROJECT, requestIndex: 0 }
const ID = '01930000-0000-7000-8000-00000000000a'
const SESSION = 'fedcba98-7654-4321-8fff-0123456789ab'

function makeEvent(fields: Partial<Event> = {}): Event {
  return {
    eventId: ID,
    kind: 'page_view',
    timeMs: 1_700_000_000_123,
    distinctId: 'anon-1',
    sessionId: SESSION,
    cookieless: false,
    properties: [],
    ...fields,
  }
}

const text = (key: string, value: string): Property => ({ key, value: { type: 'string', value } })

/** The block that the plain builder makes of the events. */
function blockOf(events: readonly Event[]): string {
  const builder = new EventsBlockBuilder()
  for (const event of events) builder.add(PROJECT, event)
  return builder.finish().bytes.toString('hex')
}

function finish(columns: EventColumns): string {
  return Buffer.concat(toNativeBlocks([columns.finish().bytes])).toString('hex')
}

const VALUES: fc.Arbitrary<PropertyValue> = fc.oneof(
  fc.record({
    type: fc.constant('string' as const),
    value: fc.oneof(fc.string(), fc.constant('é'.repeat(500)), fc.string({ unit: 'grapheme' })),
  }),
  fc.record({
    type: fc.constant('int' as const),
    value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  }),
  fc.record({
    type: fc.constant('double' as const),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ type: fc.constant('bool' as const), value: fc.boolean() }),
  fc.record({
    type: fc.constant('time' as const),
    value: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
  }),
)
const EVENTS: fc.Arbitrary<Event> = fc.record({
  eventId: fc.uuid(),
  kind: fc.constantFrom('a', 'page_view', 'k'.repeat(200)),
  timeMs: fc.integer({ min: 0, max: 4_291_747_199_999 }),
  distinctId: fc.constantFrom('x', 'ü', 'y'.repeat(200)),
  sessionId: fc.uuid(),
  cookieless: fc.constant(false),
  properties: fc.uniqueArray(
    fc.record({
      key: fc.oneof(
        fc.constantFrom('$url', '$os', '$city', 'a', 'b', 'c'),
        fc.string({ minLength: 1, maxLength: 9 }),
      ),
      value: VALUES,
    }),
    { selector: ({ key }) => key, maxLength: 8 },
  ),
})

test('any events make the same block as the naive builder, also in reused columns', () => {
  const columns = new EventColumns()
  fc.assert(
    fc.property(fc.array(EVENTS, { maxLength: 300 }), (events) => {
      for (const event of events) columns.addEvent(event, CONTEXT)
      expect(finish(columns)).toBe(blockOf(events))
    }),
    { numRuns: propertyRuns(100) },
  )
})

test('rows since the mark can be rolled back', () => {
  const columns = new EventColumns()
  const events = fc.array(EVENTS, { maxLength: 10 })
  fc.assert(
    fc.property(events, events, events, (before, between, after) => {
      for (const event of before) columns.addEvent(event, CONTEXT)
      const mark = columns.mark()
      for (const event of between) columns.addEvent({ ...event, cookieless: true }, CONTEXT)
      columns.rollback(mark)
      for (const event of after) columns.addEvent(event, CONTEXT)
      expect(columns.pendingIdentities).toEqual([])
      expect(finish(columns)).toBe(blockOf([...before, ...after]))
    }),
    { numRuns: propertyRuns(100) },
  )
})

describe('cookieless rows', () => {
  const fields = fc.record({ event: EVENTS, fate: fc.constantFrom('sent', 'resolved', 'dropped') })

  test('get their ids or are dropped', () => {
    const columns = new EventColumns()
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 20 }), (rows) => {
        for (const { event, fate } of rows)
          columns.addEvent({ ...event, cookieless: fate !== 'sent' }, CONTEXT)
        const pending = columns.pendingIdentities
        expect(pending).toEqual(
          rows.flatMap(({ event, fate }, row) =>
            fate === 'sent' ? [] : [{ row, timeMs: event.timeMs, requestIndex: 0 }],
          ),
        )
        for (const { row } of pending) {
          if (rows[row]?.fate === 'dropped') columns.dropRow(row)
          else columns.resolveIdentity(row, `cookieless-${row}`, SESSION)
        }
        const expected = rows.flatMap(({ event, fate }, row) => {
          if (fate === 'sent') return [event]
          const identity = { cookieless: true, distinctId: `cookieless-${row}`, sessionId: SESSION }
          return fate === 'dropped' ? [] : [{ ...event, ...identity }]
        })
        expect(finish(columns)).toBe(blockOf(expected))
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  test('that are neither resolved nor dropped break an invariant', () => {
    const columns = new EventColumns()
    columns.addEvent(makeEvent({ cookieless: true }), CONTEXT)
    expect(() => columns.finish()).toThrow('resolved or dropped')
  })
})

describe('the step before a row ends', () => {
  const json = (autoProperties: string): Buffer =>
    Buffer.from(
      `{"events":[{"eventId":"${ID}","kind":"page_view","occurTime":"2023-11-14T22:13:20.123Z","distinctId":"anon-1",` +
        `"sessionId":"${SESSION}","autoProperties":${autoProperties}}]}`,
    )

  /** Decodes one event with the step and answers the block. */
  function enrich(autoProperties: string, finishRow: FinishRow): string {
    const columns = new EventColumns()
    const verdict = decodeJson(json(autoProperties), columns, { ...CONTEXT, finishRow })
    expect(verdict).toEqual({ ok: true, eventCount: 1 })
    return finish(columns)
  }

  const properties =
    '{"$url":{"stringValue":"a\\"b"},"$country":{"intValue":"5"},"$mobile":{"boolValue":true}}'

  test('sees the row', () => {
    const seen: unknown[] = []
    enrich(properties, (columns, context) => {
      seen.push(columns.rowCount, columns.kind, context.requestIndex, columns.property('$url'))
      seen.push(columns.hasProperty('$url'), columns.hasProperty('$country'), columns.hasProperty('$os'))
      seen.push(columns.property('$country'), columns.property('$mobile'), columns.property('never seen'))
    })
    expect(seen).toEqual([
      0,
      'page_view',
      0,
      { type: 'string', value: 'a"b' },
      true,
      true,
      false,
      { type: 'int', value: 5n },
      { type: 'bool', value: true },
      undefined,
    ])
  })

  test('sets missing properties, and replaces existing ones of any type', () => {
    const block = enrich(properties, (columns) => {
      columns.setProperty('$url', { type: 'string', value: 'é'.repeat(20_000) })
      columns.setProperty('$country', { type: 'string', value: 'DE' })
      columns.setProperty('$mobile', { type: 'int', value: -3n })
      columns.setProperty('$latitude', { type: 'double', value: 52.5 })
      columns.setProperty('$bot_score', { type: 'int', value: 99n })
    })
    const expected = [
      text('$url', 'é'.repeat(20_000)),
      text('$country', 'DE'),
      { key: '$mobile', value: { type: 'int', value: -3n } },
      { key: '$latitude', value: { type: 'double', value: 52.5 } },
      { key: '$bot_score', value: { type: 'int', value: 99n } },
    ] satisfies Property[]
    expect(block).toBe(blockOf([makeEvent({ properties: expected })]))
  })

  test('removes properties', () => {
    const block = enrich(properties, (columns) => {
      columns.removeProperty('$url')
      columns.removeProperty('$country')
      columns.removeProperty('$os')
      expect(columns.hasProperty('$url')).toBe(false)
    })
    expect(block).toBe(
      blockOf([makeEvent({ properties: [{ key: '$mobile', value: { type: 'bool', value: true } }] })]),
    )
  })

  test('edits any row like a map', () => {
    const change = fc.record({
      key: fc.constantFrom('$url', '$os', 'a', 'b', 'c'),
      value: fc.option(VALUES, { nil: undefined }),
    })
    const columns = new EventColumns()
    fc.assert(
      fc.property(EVENTS, EVENTS, fc.array(change, { maxLength: 6 }), (before, event, changes) => {
        const expected = new Map(event.properties.map(({ key, value }) => [key, value]))
        for (const { key, value } of changes) {
          expected.delete(key)
          if (value !== undefined) expected.set(key, value)
        }
        const finishRow: FinishRow = () => {
          for (const { key, value } of changes) {
            if (value === undefined) columns.removeProperty(key)
            else columns.setProperty(key, value)
          }
          const keys = [...expected.keys(), 'a', '$url']
          expect(keys.map((key) => columns.property(key))).toEqual(keys.map((key) => expected.get(key)))
        }
        columns.addEvent(before, CONTEXT)
        columns.addEvent(event, { ...CONTEXT, finishRow })
        const after = { ...event, properties: [...expected].map(([key, value]) => ({ key, value })) }
        expect(finish(columns)).toBe(blockOf([before, after]))
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})

describe('in the store', () => {
  let store: OwnEngine
  let clickhouse: ClickHouse

  beforeAll(async () => {
    store = await startOwnEngine()
    clickhouse = store.clickhouse
  })

  afterAll(async () => {
    await store?.stop()
  })

  test('values of every type are stored exactly', async () => {
    const events = [
      {
        eventId: ID.toUpperCase(),
        kind: 'everything',
        occurTime: '2105-12-31T23:59:59.999999Z',
        distinctId: 'ü"\\🎁',
        sessionId: SESSION,
        autoProperties: {
          $url: { stringValue: 'https://é.example/\u0000"' },
          $os: { stringValue: '' },
          $city: { intValue: '-9223372036854775808' },
          $region: { doubleValue: 1e21 },
          $language: { doubleValue: -0 },
          $browser: { boolValue: true },
          $device: { timestampValue: '2024-02-29T12:00:00.5Z' },
        },
        customProperties: {
          ints: { intValue: '-9223372036854775808' },
          inte: { intValue: '9223372036854775807' },
          double: { doubleValue: -1.7976931348623157e308 },
          yes: { boolValue: true },
          no: { boolValue: false },
          time: { timestampValue: '0001-01-01T00:00:00Z' },
          end: { timestampValue: '9999-12-31T23:59:59.999Z' },
          long: { stringValue: '🎁'.repeat(1024) },
        },
      },
      { eventId: SESSION, kind: 'nothing', occurTime: '1970-01-01T00:00:00Z', cookieless: true },
    ]
    const columns = new EventColumns()
    expect(decodeJson(Buffer.from(JSON.stringify({ events })), columns, CONTEXT)).toEqual({
      ok: true,
      eventCount: 2,
    })
    columns.resolveIdentity(1, 'cookieless-x', ID)
    await insertNative(clickhouse, {
      table: 'events',
      blocks: toNativeBlocks([columns.finish().bytes]),
      id: 'a',
    })
    const result = await clickhouse.query({
      query: `SELECT project, kind, toUnixTimestamp64Milli(time) AS time, distinct_id, session_id, event_id, cookieless,
        url, os, city, region, language, browser, device, strings, ints, doubles, bools, mapApply((k, v) -> (k, toUnixTimestamp64Milli(v)), times) AS times
        FROM events ORDER BY time DESC`,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    })
    expect(await result.json()).toEqual([
      {
        project: 7,
        kind: 'everything',
        time: String(Date.UTC(2106, 0, 1) - 1),
        distinct_id: 'ü"\\🎁',
        session_id: SESSION,
        event_id: ID,
        cookieless: false,
        url: 'https://é.example/\u0000"',
        os: '',
        city: '-9223372036854775808',
        region: '1e+21',
        language: '0',
        browser: 'true',
        device: '2024-02-29T12:00:00.500Z',
        strings: { $os: '', long: '🎁'.repeat(1024) },
        ints: { $city: '-9223372036854775808', ints: '-9223372036854775808', inte: '9223372036854775807' },
        doubles: { $region: 1e21, $language: 0, double: -1.7976931348623157e308 },
        bools: { $browser: true, yes: true, no: false },
        times: { $device: '1709208000500', time: '-62135596800000', end: '253402300799999' },
      },
      {
        project: 7,
        kind: 'nothing',
        time: '0',
        distinct_id: 'cookieless-x',
        session_id: ID,
        event_id: SESSION,
        cookieless: true,
        url: '',
        os: '',
        city: '',
        region: '',
        language: '',
        browser: '',
        device: '',
        strings: {},
        ints: {},
        doubles: {},
        bools: {},
        times: {},
      },
    ])
  })
})

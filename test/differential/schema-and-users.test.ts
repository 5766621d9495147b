import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { GetFilterSchemaRequestSchema } from '../../src/contract/gen/common/v1/filter_schema_pb.js'
import { PropertySource, PropertyValueType } from '../../src/contract/gen/common/v1/property_pb.js'
import {
  GetPropertyValuesRequestSchema,
  SegmentUsersRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { answerFilterSchema, answerPropertyValues, answerSegmentUsers } from './reference.ts'
import { msOf, sampleProfile, sampleWorld } from './sample.ts'

const profiles = [
  sampleProfile('zoe', { anonymousIds: ['anon-zoe'], traits: { tier: 'gold', age: 5, note: null } }),
  sampleProfile('yan', { traits: { tier: 'blue', age: 5.5, tags: [1] } }),
  sampleProfile('xia', { traits: { tier: 'gold' } }),
]
const world = sampleWorld(
  [
    { at: '10:00', kind: 'view', by: 'anon-zoe', properties: { n: 1n, $os: 'a', doc: '{"k":"v"}' } },
    { at: '10:01', kind: 'view', by: 'profile-zoe', properties: { n: 1, $os: '' } },
    { at: '10:02', kind: 'view', by: 'b', properties: { n: '1' } },
    { at: '10:03', kind: 'buy', by: 'B', properties: { n: 2n, $os: 'b', 'not filterable': true } },
    { at: '10:04', kind: 'buy', by: 'cookieless-x', properties: { n: 2n, $os: 'b' } },
  ],
  profiles,
)

describe('segments', () => {
  function users(kinds: readonly string[], { to = '11:00' } = {}): readonly string[] {
    const request = create(SegmentUsersRequestSchema, {
      timeRange: { from: timestampFromMs(msOf('10:00')), to: timestampFromMs(msOf(to)) },
      events: kinds.map((kind) => ({ event: { kind } })),
    })
    return answerSegmentUsers(world, request)
  }

  test('users are listed once, by their bytes, without cookieless visitors', () => {
    expect(users([''])).toEqual(['B', 'b', 'zoe'])
  })

  test('any of the events will do', () => {
    expect(users(['buy'])).toEqual(['B'])
    expect(users(['buy', 'view', 'none'])).toEqual(['B', 'b', 'zoe'])
  })

  test('only events of the range count', () => {
    expect(users([''], { to: '10:02' })).toEqual(['zoe'])
  })
})

describe('the filter schema', () => {
  const schema = (eventKind = '', allowedTypes: readonly PropertyValueType[] = []) =>
    answerFilterSchema(
      world,
      create(GetFilterSchemaRequestSchema, { eventKind, allowedTypes: [...allowedTypes] }),
    )
  const names = (keys: readonly { readonly name: string; readonly count: bigint }[]): readonly string[] =>
    keys.map(({ name, count }) => `${name} ${count}`)

  test('names go by count', () => {
    const { events, autoPropertyKeys, customPropertyKeys, profilePropertyKeys } = schema()
    expect([events, autoPropertyKeys, customPropertyKeys, profilePropertyKeys].map(names)).toEqual([
      ['view 3', 'buy 2'],
      ['$os 4'],
      ['n 5', 'doc 1', 'not filterable 1'],
      ['tier 3', 'age 2', 'note 1', 'tags 1'],
    ])
    expect(events.map(({ lastSeenAt }) => lastSeenAt && timestampMs(lastSeenAt))).toEqual([
      msOf('10:02'),
      msOf('10:04'),
    ])
  })

  test('the type seen most is the type', () => {
    const types = schema().customPropertyKeys.map(({ valueType }) => PropertyValueType[valueType])
    expect(types).toEqual(['INTEGER', 'STRING', 'BOOLEAN'])
  })

  test('a kind and types narrow the keys', () => {
    expect(names(schema('view').customPropertyKeys)).toEqual(['n 3', 'doc 1'])
    expect(names(schema('', [PropertyValueType.BOOLEAN]).customPropertyKeys)).toEqual(['not filterable 1'])
  })
})

describe('property values', () => {
  const { AUTO, CUSTOM, PROFILE } = PropertySource

  test.each<[key: string, source: PropertySource, kind: string, values: readonly string[]]>([
    ['n', CUSTOM, '', ['1', '2']],
    ['n', CUSTOM, 'buy', ['2']],
    ['$os', AUTO, '', ['b', 'a']],
    ['tier', PROFILE, '', ['gold', 'blue']],
    ['note', PROFILE, '', []],
    ['age', PROFILE, '', ['5', '5.5']],
    ['doc.k', CUSTOM, '', ['v']],
  ])('%s', (propertyKey, source, eventKind, values) => {
    const request = create(GetPropertyValuesRequestSchema, { propertyKey, source, eventKind })
    expect(answerPropertyValues(world, request).map(({ value }) => value)).toEqual(values)
  })

  test('at most 100 are listed', () => {
    const many = sampleWorld(
      Array.from({ length: 101 }, (_, n) => ({ at: '10:00', properties: { n: 100 + n } })),
    )
    const request = create(GetPropertyValuesRequestSchema, { propertyKey: 'n', source: CUSTOM })
    const values = answerPropertyValues(many, request).map(({ value }) => value)
    expect([values.length, values[0], values.at(-1)]).toEqual([100, '100', '199'])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf'
import { nestedTypes, pathToString } from '@bufbuild/protobuf/reflect'
import { createValidator } from '@bufbuild/protovalidate'
import { describe, expect, test } from 'vitest'
import { SubscribeRequestSchema } from './gen/sdk/devices/v1/devices_service_pb.js'
import { BatchCreateRequestSchema } from './gen/sdk/events/v1/events_service_pb.js'
import { IdentifyRequestSchema } from './gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import {
  QueryRequestSchema,
  SegmentUsersRequestSchema,
} from './gen/shared/insights/v1/insights_service_pb.js'

// The contract as a flat list of facts, one text per message, field, enum value and method.

function readRequiredFacts(): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, 'wire-facts.txt'), 'utf8')
  let pkg = ''
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    if (line.startsWith('package ')) {
      pkg = line.slice('package '.length)
      return []
    }
    return parseFactLine(pkg, line)
  })
}

function parseFactLine(pkg: string, line: string): readonly string[] {
  const [, kind = 'message ', name = '', body = ''] =
    /^(enum |service )?([\w.]+)(?:: | \{)(.*?)\}?$/.exec(line) ?? []
  const owner = `${kind}${pkg}.${name}`
  const oneof = /oneof (\w+)\(([^)]*)\)/.exec(body)
  const members = oneof?.[2]?.split(', ').map((member) => `${member} in ${oneof[1]}`) ?? []
  const rest = kind === 'service ' ? body : body.replace(oneof?.[0] ?? '', '')
  const parts = [...rest.split('; '), ...members].filter((part) => part !== '')
  return [owner, ...parts.map((part) => `${owner}: ${part}`)]
}

async function loadGeneratedFiles(): Promise<readonly DescFile[]> {
  const dir = join(import.meta.dirname, 'gen')
  // The protocols of gRPC itself are not this interface's.
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('_pb.js') && !path.startsWith('grpc'),
  )
  const modules = await Promise.all(
    paths.map(async (path): Promise<object> => import(pathToFileURL(join(dir, path)).href)),
  )
  return modules.flatMap((module) =>
    Object.values(module).filter((value): value is DescFile => value?.kind === 'file'),
  )
}

function describeFile(file: DescFile): readonly string[] {
  return [...nestedTypes(file)].flatMap((type) => {
    const owner = `${type.kind} ${type.typeName}`
    if (type.kind === 'enum')
      return [owner, ...type.values.map((value) => `${owner}: ${value.name}=${value.number}`)]
    if (type.kind === 'service')
      return [owner, ...type.methods.map((method) => `${owner}: ${describeMethod(method)}`)]
    if (type.kind === 'message')
      return [owner, ...type.fields.map((field) => `${owner}: ${describeField(field)}`)]
    return []
  })
}

function describeMethod(method: DescMethod): string {
  const scope = method.parent.file.proto.package
  const stream = method.methodKind === 'server_streaming' ? 'stream ' : ''
  return `${method.name}(${shortName(method.input, scope)})->${stream}${shortName(method.output, scope)}`
}

function describeField(field: DescField): string {
  const oneof = field.oneof === undefined ? '' : ` in ${field.oneof.name}`
  return `${field.name} ${field.number}: ${describeType(field)}${oneof}`
}

function describeType(field: DescField): string {
  const scope = field.parent.typeName
  const type = field.message ?? field.enum
  const item =
    type === undefined ? ScalarType[field.scalar ?? ScalarType.STRING].toLowerCase() : shortName(type, scope)
  if (field.fieldKind === 'list') return `repeated ${item}`
  if (field.fieldKind === 'map') return `map<${ScalarType[field.mapKey].toLowerCase()}, ${item}>`
  return item
}

/** Name of a type as the facts write it inside `scope`: relative to the same message or package. */
function shortName(type: { readonly typeName: string; readonly file: DescFile }, scope: string): string {
  const pkg = type.file.proto.package
  const prefixes = [`${scope}.`, pkg === 'google.protobuf' || scope.startsWith(pkg) ? `${pkg}.` : '']
  const prefix = prefixes.find((candidate) => type.typeName.startsWith(candidate)) ?? ''
  return type.typeName.slice(prefix.length)
}

/** The type that a fact is about. */
function ownerOf(fact: string): string {
  return fact.split(': ', 1)[0] ?? fact
}

/** Packages of the original interface; additions that need no field of it have separate packages. */
const ORIGINAL_PACKAGE = /^(?!google\.|millrace\.)/

/** Fields and enum values that were added to types of the original interface: old clients do not meet them. */
const ADDITION = /: \w+ 1\d{3}: |: \w+=1\d{3}$/

/** The types that a message refers to, and those that these refer to. */
function collectTypes(field: DescField, found: Set<string>): void {
  const type = field.message ?? field.enum
  if (type === undefined || found.has(type.typeName)) return
  found.add(type.typeName)
  for (const inner of field.message?.fields ?? []) collectTypes(inner, found)
}

/** Names of the types that only added fields lead to. */
function addedTypes(files: readonly DescFile[], owners: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const type of files.flatMap((file) => [...nestedTypes(file)])) {
    if (type.kind !== 'message' || !owners.has(`message ${type.typeName}`)) continue
    const added = type.fields.filter((field) => ADDITION.test(`: ${describeField(field)}`))
    for (const field of added) collectTypes(field, found)
  }
  return found
}

test('the generated code has every message, field, number, type, enum value and method', async () => {
  const required = readRequiredFacts()
  const files = await loadGeneratedFiles()
  const owners = new Set(required.map(ownerOf))
  const originalFiles = files.filter((file) => ORIGINAL_PACKAGE.test(file.proto.package))
  // Old clients do not meet what was added: fields, enum values, and the types that only these fields lead to.
  const added = addedTypes(originalFiles, owners)
  const original = originalFiles
    .flatMap(describeFile)
    .filter((fact) => owners.has(ownerOf(fact)) || !added.has(ownerOf(fact).replace(/^\w+ /, '')))
    .filter((fact) => !ADDITION.test(fact) || !owners.has(ownerOf(fact)))
  expect(required.length).toBeGreaterThan(900)
  expect(original.sort()).toEqual([...required].sort())
})

const validator = createValidator()

/** Broken rules as `path rule-id`; the path is empty for a rule on the request itself. */
function validate(schema: DescMessage, json: JsonValue): readonly string[] {
  const { violations, error } = validator.validate(schema, fromJson(schema, json))
  if (error !== undefined && violations === undefined) throw error
  return (violations ?? []).map((violation) => `${pathToString(violation.field)} ${violation.ruleId}`.trim())
}

type Case = readonly [title: string, json: JsonObject, ...violations: readonly string[]]

const uuid = '0190a6ee-7b3c-7000-8000-0123456789ab'
const eventId = uuid
const occurTime = '2026-01-02T03:04:05.678Z'
const plainEvent = { eventId, kind: 'page_view', occurTime, distinctId: 'anon-1', sessionId: uuid }
const cookielessEvent = { eventId, kind: 'page_view', occurTime, cookieless: true }
const batch = (change: JsonObject): JsonObject => ({ events: [{ ...plainEvent, ...change }] })
const custom = (value: JsonValue): JsonObject => batch({ customProperties: { a: value } })
const keys = (count: number, prefix: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, { boolValue: true }]))

const batchCases: readonly Case[] = [
  ['no events', {}],
  ['a plain event', batch({})],
  ['a cookieless event', { events: [cookielessEvent] }],
  ['an upper-case UUID', batch({ eventId: uuid.toUpperCase() })],
  ['1000 events', { events: Array(1000).fill(cookielessEvent) }],
  ['1001 events', { events: Array(1001).fill(cookielessEvent) }, 'events repeated.max_items'],
  ['no event id', batch({ eventId: null }), 'events[0].event_id required'],
  ['a UUID without dashes', batch({ eventId: uuid.replaceAll('-', '') }), 'events[0].event_id string.uuid'],
  ['a UUID in braces', batch({ eventId: `{${uuid}}` }), 'events[0].event_id string.uuid'],
  ['a UUID with a line break', batch({ eventId: `${uuid}\n` }), 'events[0].event_id string.uuid'],
  [
    'a bad fourth event',
    { events: [...Array(3).fill(plainEvent), { ...plainEvent, kind: 'a b' }] },
    'events[3].kind string.pattern',
  ],
  ['no kind', batch({ kind: '' }), 'events[0].kind string.pattern'],
  ['a kind with a line break', batch({ kind: 'a\n' }), 'events[0].kind string.pattern'],
  ['a reserved kind', batch({ kind: 'service.start' }), 'events[0].kind event.kind.reserved'],
  ['a kind that looks reserved', batch({ kind: 'services' })],
  ['no occur time', batch({ occurTime: null }), 'events[0].occur_time required'],
  [
    'a time before 1970',
    batch({ occurTime: '1969-12-31T23:59:59.999Z' }),
    'events[0].occur_time timestamp.gte_lt',
  ],
  ['the last time', batch({ occurTime: '2105-12-31T23:59:59.999Z' })],
  [
    'a time after 2105',
    batch({ occurTime: '2106-01-01T00:00:00Z' }),
    'events[0].occur_time timestamp.gte_lt',
  ],
  ['no distinct id', batch({ distinctId: null }), 'events[0] event.distinct_id.required'],
  ['an empty distinct id', batch({ distinctId: '' }), 'events[0].distinct_id string.min_len'],
  [
    'a reserved distinct id',
    batch({ distinctId: 'cookieless-1' }),
    'events[0].distinct_id event.distinct_id.reserved',
  ],
  ['no session id', batch({ sessionId: null }), 'events[0] event.session_id.required'],
  ['an empty session id', batch({ sessionId: '' }), 'events[0].session_id string.uuid_empty'],
  [
    'a cookieless event with a distinct id',
    { events: [{ ...cookielessEvent, distinctId: 'a' }] },
    'events[0] event.distinct_id.omitted',
  ],
  [
    'a cookieless event with an empty session id',
    { events: [{ ...cookielessEvent, sessionId: '' }] },
    'events[0].session_id string.uuid_empty',
    'events[0] event.session_id.omitted',
  ],
  ['an auto-property', batch({ autoProperties: { $url: { stringValue: 'https://example.com' } } })],
  [
    'an auto-property without $',
    batch({ autoProperties: { url: { boolValue: true } } }),
    'events[0].auto_properties["url"] string.prefix',
  ],
  [
    'a custom property with $',
    batch({ customProperties: { $url: { boolValue: true } } }),
    'events[0].custom_properties["$url"] event.custom_properties.key',
  ],
  ['a key of 200 code points', batch({ customProperties: { ['😀'.repeat(200)]: { boolValue: true } } })],
  [
    'a key of 201 code points',
    batch({ customProperties: { ['a'.repeat(201)]: { boolValue: true } } }),
    `events[0].custom_properties["${'a'.repeat(201)}"] string.max_len`,
  ],
  ['256 keys', batch({ autoProperties: keys(100, '$a'), customProperties: keys(156, 'a') })],
  [
    '257 keys',
    batch({ autoProperties: keys(100, '$a'), customProperties: keys(157, 'a') }),
    'events[0] event.properties.max',
  ],
  ['a text of 1024 code points', custom({ stringValue: '😀'.repeat(1024) })],
  [
    'a text of 1025 code points',
    custom({ stringValue: '😀'.repeat(1025) }),
    'events[0].custom_properties["a"].string_value string.max_len',
  ],
  ['a value without a variant', custom({}), 'events[0].custom_properties["a"].value required'],
  ['NaN', custom({ doubleValue: 'NaN' }), 'events[0].custom_properties["a"].double_value double.finite'],
  [
    'infinity',
    custom({ doubleValue: '-Infinity' }),
    'events[0].custom_properties["a"].double_value double.finite',
  ],
  ['the year 9999', custom({ timestampValue: '9999-12-31T23:59:59.999Z' })],
]

const identifyCases: readonly Case[] = [
  ['an external id', { externalId: 'u1', traits: { plan: null } }],
  ['an anonymous id', { externalId: 'u1', anonymousId: 'anon-1', deviceId: uuid }],
  ['no external id', {}, 'external_id required'],
  ['a reserved external id', { externalId: 'cookieless-1' }, 'external_id identify.external_id.reserved'],
  ['another anonymous id', { externalId: 'u1', anonymousId: 'x-anon-' }, 'anonymous_id string.pattern'],
  ['an anonymous id of 255', { externalId: 'u1', anonymousId: `anon-${'a'.repeat(250)}` }],
  [
    'an anonymous id of 256',
    { externalId: 'u1', anonymousId: `anon-${'a'.repeat(251)}` },
    'anonymous_id string.max_len',
  ],
  ['a device id of 37', { externalId: 'u1', deviceId: 'a'.repeat(37) }, 'device_id string.max_len'],
]

const subscription = { deviceId: uuid, platform: 'web', token: 't' }

const subscribeCases: readonly Case[] = [
  ['no owner', subscription],
  ['an owner by external id', { ...subscription, profileExternalId: 'u1' }],
  ['an owner by profile id', { ...subscription, profileId: 'p1' }],
  ['two owners', { ...subscription, profileExternalId: 'u1', profileId: 'p1' }, 'message.oneof'],
  ['another platform', { ...subscription, platform: 'Web' }, 'platform string.in'],
  ['no token', { ...subscription, token: '' }, 'token required'],
  [
    'a long owner',
    { ...subscription, profileExternalId: 'a'.repeat(256) },
    'profile_external_id string.max_len',
  ],
  ['a long profile id', { ...subscription, profileId: 'a'.repeat(37) }, 'profile_id string.max_len'],
]

const timeRange = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
const query = (spec: JsonObject, change: JsonObject = {}): JsonObject => ({
  spec: { insightType: 'INSIGHT_TYPE_TRENDS', ...spec },
  timeRange,
  granularity: 'GRANULARITY_HOUR',
  ...change,
})
const filter = (change: JsonObject): JsonObject =>
  query({
    filterGroups: [{ filters: [{ property: '$browser', operator: 'FILTER_OPERATOR_EQUALS', ...change }] }],
  })
const filterPath = 'spec.filter_groups[0].filters[0]'
const breakdowns = (...properties: readonly string[]): JsonObject => ({
  breakdowns: properties.map((property) => ({ property })),
})

const queryCases: readonly Case[] = [
  ['the least query', query({})],
  ['nothing', {}, 'spec required', 'time_range required', 'granularity required'],
  ['no insight type', query({ insightType: null }), 'spec.insight_type required'],
  ['an unknown insight type', query({ insightType: 99 }), 'spec.insight_type enum.defined_only'],
  ['an unknown granularity', query({}, { granularity: 9 }), 'granularity enum.defined_only'],
  [
    'an empty range',
    query({}, { timeRange: { from: timeRange.to, to: timeRange.to } }),
    'time_range time_range.order',
  ],
  ['a range without end', query({}, { timeRange: { from: timeRange.from } }), 'time_range.to required'],
  ['five breakdowns', query(breakdowns('$a', 'b', 'c.d', 'e-f', '1'))],
  ['six breakdowns', query(breakdowns('a', 'b', 'c', 'd', 'e', 'f')), 'spec.breakdowns repeated.max_items'],
  ['a breakdown twice', query(breakdowns('a', 'a')), 'spec.breakdowns spec.breakdowns.unique'],
  ['a bad breakdown', query(breakdowns('a..b')), 'spec.breakdowns[0].property string.pattern'],
  ['a limit of 100', query({ ...breakdowns('a'), breakdownLimit: 100 })],
  [
    'a limit of 101',
    query({ ...breakdowns('a'), breakdownLimit: 101 }),
    'spec.breakdown_limit int32.gte_lte',
  ],
  ['a limit without breakdowns', query({ breakdownLimit: 1 }), 'spec spec.breakdown_limit.breakdowns'],
  ['a window of 1 s', query({ conversionWindow: '1s' })],
  ['a window of 90 days', query({ conversionWindow: '7776000s' })],
  ['a window of 0 s', query({ conversionWindow: '0s' }), 'spec.conversion_window duration.gte'],
  [
    'a window of 1.5 s',
    query({ conversionWindow: '1.5s' }),
    'spec.conversion_window spec.conversion_window.seconds',
  ],
  [
    'a window of 1 s and 1 ns',
    query({ conversionWindow: '1.000000001s' }),
    'spec.conversion_window spec.conversion_window.seconds',
  ],
  [
    'a sum without a property',
    query({ events: [{ aggregation: 'AGGREGATION_TYPE_SUM' }] }),
    'spec.events[0] event_query.aggregation_property.required',
  ],
  ['a filter', filter({ value: 'Firefox' })],
  ['a filter without value', filter({}), `${filterPath} property_filter.value.required`],
  ['a filter without operator', filter({ operator: null }), `${filterPath}.operator required`],
  [
    'a filter on a bad name',
    filter({ property: 'a b', value: 'x' }),
    `${filterPath}.property string.pattern`,
  ],
  [
    'an auto filter without $',
    filter({ property: 'a', value: 'x', source: 1 }),
    `${filterPath} property_filter.property.auto`,
  ],
  ['IN without values', filter({ operator: 11 }), `${filterPath} property_filter.values.required`],
  [
    'IN with an empty value',
    filter({ operator: 11, values: ['a', ''] }),
    `${filterPath}.values[1] string.min_len`,
  ],
  [
    'BETWEEN with three values',
    filter({ operator: 13, values: ['1', '2', '3'] }),
    `${filterPath} property_filter.values.two`,
  ],
  ['IS_SET', filter({ operator: 5 })],
  ['an empty group', query({ filterGroups: [{}] }), 'spec.filter_groups[0].filters repeated.min_items'],
  ['a session query without metric', query({ session: {} }), 'spec.session.metric required'],
  ['one node', query({ userFlow: { maxNodes: 1 } }), 'spec.user_flow.max_nodes int32.gte_lte'],
  ['default sizes', query({ userFlow: {} })],
  [
    'nodes of no property',
    query({ userFlow: { nodeKind: 'NODE_KIND_PROPERTY' } }),
    'spec.user_flow user_flow.node_property.required',
  ],
  ['a top-K of no property', query({ topK: { dimension: 1 } }), 'spec.top_k top_k.property.required'],
  [
    'a top-K of kinds by property',
    query({ topK: { dimension: 2, property: 'a' } }),
    'spec.top_k top_k.property.rejected',
  ],
  ['a top-K of users by users', query({ topK: { dimension: 3, metric: 2 } }), 'spec.top_k top_k.metric.user'],
  ['a top-K with an idle metric property', query({ topK: { dimension: 2, metricProperty: '?' } })],
  [
    'a top-K sum of nothing',
    query({ topK: { dimension: 2, metric: 4 } }),
    'spec.top_k top_k.metric_property.required',
  ],
  ['a map of a sum of nothing', query({ map: { metric: 4 } }), 'spec.map map.metric_property.required'],
  [
    'a map of a count of something',
    query({ map: { metricProperty: 'a' } }),
    'spec.map map.metric_property.rejected',
  ],
]

const segmentCases: readonly Case[] = [
  ['a page of 1000', { timeRange, events: [{}], pageSize: 1000 }],
  ['a page of 1001', { timeRange, events: [{}], pageSize: 1001 }, 'page_size int32.gte_lte'],
  ['no events', { timeRange, pageSize: -1 }, 'events repeated.min_items', 'page_size int32.gte_lte'],
]

describe.each([
  { schema: BatchCreateRequestSchema, cases: batchCases },
  { schema: IdentifyRequestSchema, cases: identifyCases },
  { schema: SubscribeRequestSchema, cases: subscribeCases },
  { schema: QueryRequestSchema, cases: queryCases },
  { schema: SegmentUsersRequestSchema, cases: segmentCases },
] as { schema: DescMessage; cases: readonly Case[] }[])('$schema.name', ({ schema, cases }) => {
  const rows = cases.map(([title, json, ...violations]) => ({
    fact: `${title}: ${violations.length === 0 ? 'valid' : violations.join(', ').slice(0, 80)}`,
    json,
    violations,
  }))
  test.each(rows)('$fact', ({ json, violations }) => {
    expect([...validate(schema, json)].sort()).toEqual([...violations].sort())
  })
})

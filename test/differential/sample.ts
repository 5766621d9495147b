import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  Granularity,
  type InsightQuerySpecSchema,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { Profile, ReferenceEvent, ReferenceWorld, TypedValue } from './model.ts'
import { answer } from './reference.ts'

/** A property as a test writes it: an instant is a Date. */
export type PlainValue = string | bigint | number | boolean | Date

/** A spec of a test of one insight type. */
export type SpecSample = Omit<MessageInitShape<typeof InsightQuerySpecSchema>, '$typeName' | 'insightType'>

/** A time on a day of January 2026, whose 5th is a Monday: `2026-01-05T12:00:00Z`. */
export function january(day: number, time = '12:00'): string {
  return `2026-01-${String(day).padStart(2, '0')}T${time}:00Z`
}

/** The parts of an event that a test sets; the rest has defaults. */
export interface EventSample {
  readonly kind?: string
  /** `12:30`, with seconds and milliseconds if need be, of 2026-01-05, a Monday; or a whole RFC 3339 time. */
  readonly at: string
  readonly by?: string
  readonly session?: number
  /** Last digits of the event id; by default events count up. */
  readonly id?: number
  readonly properties?: Readonly<Record<string, PlainValue>>
}

/** Typed value of a plain one. */
export function typed(value: PlainValue): TypedValue {
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'bigint') return { type: 'int', value }
  if (typeof value === 'number') return { type: 'double', value }
  if (typeof value === 'boolean') return { type: 'bool', value }
  return { type: 'timestamp', value: value.getTime() }
}

/** Instant of a test's time. */
export function msOf(at: string): number {
  if (at.includes('T')) return Date.parse(at)
  const [clock = '', fraction = '0'] = at.split('.')
  const time = clock.length === 5 ? `${clock}:00` : clock
  return Date.parse(`2026-01-05T${time}.${fraction.padEnd(3, '0')}Z`)
}

/** Events with ids in the order of the list. */
export function sampleEvents(samples: readonly EventSample[]): readonly ReferenceEvent[] {
  return samples.map(({ kind = 'view', at, by = 'anna', session = 1, id, properties = {} }, index) => ({
    eventId: sampleId(id ?? index + 1),
    kind,
    occurMs: msOf(at),
    distinctId: by,
    sessionId: sampleId(session),
    cookieless: by.startsWith('cookieless-'),
    properties: new Map(Object.entries(properties).map(([name, value]) => [name, typed(value)])),
  }))
}

/** UUID text that ends in a number. */
export function sampleId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** A profile whose profile id is `profile-` and the external id. */
export function sampleProfile(
  externalId: string,
  {
    anonymousIds = [],
    traits = {},
  }: { readonly anonymousIds?: readonly string[]; readonly traits?: JsonObject },
): Profile {
  return {
    profileId: `profile-${externalId}`,
    externalId,
    anonymousIds,
    traits: new Map(Object.entries(traits)),
  }
}

/** A world at UTC. */
export function sampleWorld(
  events: readonly EventSample[],
  profiles: readonly Profile[] = [],
): ReferenceWorld {
  return { events: sampleEvents(events), people: { profiles }, timeZone: '' }
}

/** The parts of a request that a test sets: by default 2026-01-05 as one day at UTC. */
export interface RequestSample {
  readonly from?: string
  readonly to?: string
  readonly granularity?: Granularity
  readonly timezone?: string
}

/** A request for a spec. */
export function sampleRequest(
  spec: MessageInitShape<typeof InsightQuerySpecSchema>,
  {
    from = '00:00',
    to = '2026-01-06T00:00:00Z',
    granularity = Granularity.DAY,
    timezone = '',
  }: RequestSample = {},
): QueryRequest {
  const timeRange = { from: timestampFromMs(msOf(from)), to: timestampFromMs(msOf(to)) }
  return create(QueryRequestSchema, { spec, timeRange, granularity, timezone })
}

type Answered = Exclude<QueryResponse['result'], { case: undefined }>
type Results = { readonly [Result in Answered as Result['case']]: Result['value'] }

/** The result in an answer, which must be of the expected case. */
export function resultOf<Case extends keyof Results>(
  { result }: QueryResponse,
  expectedCase: Case,
): Results[Case] {
  if (result.case !== expectedCase) throw new Error(`the answer is ${result.case}, not ${expectedCase}`)
  return result.value as Results[Case]
}

/** The answer of the reference to a request for a spec. */
export function answerSample(
  world: ReferenceWorld,
  spec: MessageInitShape<typeof InsightQuerySpecSchema>,
  sample: RequestSample = {},
): QueryResponse {
  return answer(world, sampleRequest(spec, sample))
}

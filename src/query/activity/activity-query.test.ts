import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import {
  EventOrder,
  GetEventExplorerRequestSchema,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import { allOf, render } from '../sql/sql.ts'
import { type ActivityQuery, parseActivity, parseArrivals } from './activity-query.ts'

type Fields = Exclude<MessageInitShape<typeof GetEventExplorerRequestSchema>, { $typeName: string }>

function parse(fields: Fields): ActivityQuery {
  return parseActivity(create(GetEventExplorerRequestSchema, fields), { projectId: asProjectId(1) })
}

test('a request without fields covers every event, in pages of the default size', () => {
  expect(parse({})).toEqual({
    range: ALL_TIME,
    kinds: undefined,
    conditions: [],
    pageSize: LIMITS.activityPageSizeDefault,
    cursor: undefined,
  })
})

test.each<[string, readonly string[], readonly string[] | undefined]>([
  ['are listed once', ['a', 'b', 'a'], ['a', 'b']],
  ['are unrestricted when one entry has none', ['a', ''], undefined],
])('kinds %s', (_, kinds, expected) => {
  expect(parse({ events: kinds.map((kind) => ({ kind })) }).kinds).toEqual(expected)
})

test('an open end is clamped to the range of event times', () => {
  const timeRange = { from: timestampFromMs(-1), to: timestampFromMs(ALL_TIME.toMs + 1) }
  expect(parse({ timeRange }).range).toEqual(ALL_TIME)
})

test('an event matches any of the entries, and every other condition', () => {
  const sessionId = '0197A1C0-0000-7000-8000-00000000000A'
  const { conditions } = parse({ sessionId, events: [{ kind: 'a' }, { kind: 'b' }] })
  const { text, params } = render(allOf(conditions))
  expect(text).toBe('(session_id = {p0:UUID} AND ((kind = {p1:String} AND 1) OR (kind = {p2:String} AND 1)))')
  expect(params).toEqual({ p0: sessionId.toLowerCase(), p1: 'a', p2: 'b' })
})

test('an invalid filter is named with its path', () => {
  const events = [{ kind: 'a' }, { kind: 'b', filters: [{ property: '' }] }]
  expect(() => parse({ events })).toThrow(/^events\[1\]/)
})

test('a cohort that the project does not have is not found', () => {
  expect(() => parse({ cohorts: [{ cohortId: 'x' }] })).toThrow(/there is no cohort/)
  expect(() => parse({ cohorts: [{ cohortId: '' }] })).toThrow(/^cohorts\[0\]\.cohortId/)
})

test('a range of arrivals belongs to the order by arrival, which has all of them without one', () => {
  const order = EventOrder.ARRIVAL
  const arrivalRange = { from: timestampFromMs(5), to: timestampFromMs(9) }
  const parseThese = (fields: Fields) => parseArrivals(create(GetEventExplorerRequestSchema, fields))
  expect(parseThese({})).toBeUndefined()
  expect(parseThese({ order })).toEqual(ALL_TIME)
  expect(parseThese({ order, arrivalRange })).toEqual({ fromMs: 5, toMs: 9 })
  expect(() => parseThese({ arrivalRange })).toThrow(/^arrivalRange/)
  expect(() => parseThese({ order, arrivalRange: { ...arrivalRange, to: timestampFromMs(5) } })).toThrow(
    /^arrivalRange/,
  )
})

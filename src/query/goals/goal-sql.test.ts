import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { msOf, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { EventFilterSchema, FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { float64Codec, stringCodec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { column, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { compileGoal, toLikePattern } from './goal-sql.ts'
import type { Goal } from './goal-store.ts'

const world = sampleWorld([
  { at: '09:00', kind: 'page_view', properties: { $pathname: '/docs', amount: 1 } },
  { at: '09:01', kind: 'page_view', properties: { $pathname: '/docs/' } },
  { at: '09:02', kind: 'page_view', properties: { $pathname: '/docs/a/b' } },
  { at: '09:03', kind: 'page_view', properties: { $pathname: '/DOCS/a' } },
  { at: '09:04', kind: 'page_view', properties: { $pathname: '/100%_a\\b' } },
  { at: '09:05', kind: 'page_view', properties: { $pathname: '/100xya/b' } },
  { at: '09:06', kind: 'page_view', properties: {} },
  { at: '09:07', kind: 'page_view', properties: { $pathname: '/a\nb/docs/' } },
  { at: '10:00', kind: 'purchase', properties: { $pathname: '/docs/', plan: 'pro', amount: 9.5 } },
  { at: '10:01', kind: 'purchase', properties: { plan: 'free', amount: '3' } },
  { at: '10:02', kind: 'purchase', properties: { plan: 'pro', amount: 'none' } },
  { at: '10:03', kind: 'refund', properties: { plan: 'pro', amount: -2n } },
])

let store: WorldStore
let projectId: ProjectId

beforeAll(async () => {
  store = await openSharedWorldStore()
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
})

afterAll(async () => await store?.close())

/** The times of the conversions of a goal, with their values. */
async function conversionsOf(target: Goal['target'], valueProperty = ''): Promise<readonly string[]> {
  const range = { fromMs: msOf('00:00'), toMs: msOf('23:00') }
  const goal = compileGoal({ target, valueProperty }, { projectId, range })
  const columns = {
    at: column(stringCodec, sql`formatDateTime(time, '%H:%i')`),
    value: column(float64Codec, goal.value ?? sql`toFloat64(0)`),
  }
  const query = select(
    columns,
    sql`${scopedEvents({ projectId, ...range })} AND ${goal.matches} ORDER BY time`,
  )
  const rows = await store.run(query, AbortSignal.timeout(30_000))
  return rows.map(({ at, value }) => (goal.value === undefined ? at : `${at} ${value}`))
}

const page = (value: string): Goal['target'] => ({ case: 'pagePattern', value })

test.each([
  ['/docs', ['09:00']],
  ['/docs/*', ['09:01', '09:02']],
  ['/docs*', ['09:00', '09:01', '09:02']],
  ['*/docs/*', ['09:01', '09:02', '09:07']],
  ['/*/b', ['09:02', '09:05']],
  ['/100%_a\\b', ['09:04']],
  ['/100%_a\\*', ['09:04']],
  ['*', ['09:00', '09:01', '09:02', '09:03', '09:04', '09:05', '09:06', '09:07']],
  ['/nothing*', []],
])('page views match the pattern %j', async (pattern, times) => {
  expect(await conversionsOf(page(pattern))).toEqual(times)
})

test('an event goal counts the events of its kind that match its filters', async () => {
  const filters = [{ property: 'plan', operator: FilterOperator.EQUALS, value: 'pro' }]
  const event = (kind: string): Goal['target'] => ({
    case: 'event',
    value: create(EventFilterSchema, { kind, filters }),
  })
  expect(await conversionsOf(event('purchase'))).toEqual(['10:00', '10:02'])
  expect(await conversionsOf(event(''))).toEqual(['10:00', '10:02', '10:03'])
})

test('values are the numbers of the property, and 0 where there is none', async () => {
  const value = create(EventFilterSchema, { kind: 'purchase' })
  expect(await conversionsOf({ case: 'event', value }, 'amount')).toEqual(['10:00 9.5', '10:01 3', '10:02 0'])
  expect(await conversionsOf(page('/docs*'), 'amount')).toEqual(['09:00 1', '09:01 0', '09:02 0'])
})

test.each([
  ['/a*b', '/a%b'],
  ['/50%_\\', '/50\\%\\_\\\\'],
])('the pattern %j is %j in LIKE', (pattern, like) => {
  expect(toLikePattern(pattern)).toBe(like)
})

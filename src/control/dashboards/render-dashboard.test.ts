import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import {
  type TimeRange,
  TimeRangePreset,
  TimeRangeSchema,
} from '../../contract/gen/common/v1/time_range_pb.js'
import { DashboardTileSchema } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { RenderedDashboard } from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { ComparePeriod } from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'
import { type Dashboard, NOT_SHARED } from './dashboard.ts'
import { type InsightCall, renderDashboard } from './render-dashboard.ts'

type TileInit = Exclude<MessageInitShape<typeof DashboardTileSchema>, { $typeName: string }>
type RunInsight = (query: InsightCall) => Promise<number>

const RANGE = {
  timeRange: create(TimeRangeSchema, { from: timestampFromMs(1000), to: timestampFromMs(2000) }),
  granularity: Granularity.HOUR,
}

/** A tile that counts events of a kind. */
const countOf = (kind: string, rest: TileInit = {}): TileInit => ({ ...rest, content: contentOf(kind) })

const contentOf = (
  kind: string,
  granularity = Granularity.UNSPECIFIED,
  insightType = InsightType.SEGMENTATION,
): Exclude<TileInit['content'], undefined> => ({
  case: 'insight',
  value: {
    spec: { insightType, events: [{ event: { kind } }] },
    granularity,
  },
})

const kindOf = ({ request }: InsightCall): string => request.spec?.events[0]?.event?.kind ?? ''

function setUp(tiles: readonly TileInit[], { timeoutMs = 60_000, timeRange = RANGE.timeRange } = {}) {
  const dashboard: Dashboard = {
    id: 'd',
    projectId: asProjectId(7),
    ...NOT_SHARED,
    shareId: 'secret',
    displayName: 'Growth',
    description: 'all of it',
    defaultTimeRange: TimeRangePreset.LAST_7_DAYS,
    defaultGranularity: Granularity.DAY,
    createdMs: 1,
    updatedMs: 2,
    tiles: tiles.map((tile, index) => create(DashboardTileSchema, { ...tile, id: `t${index}` })),
  }
  const queries: InsightCall[] = []
  const logged: unknown[] = []
  const left = new AbortController()
  const log = { error: (fields: unknown) => logged.push(fields) } as unknown as Logger
  const render = async (run: RunInsight): Promise<RenderedDashboard> => {
    const runInsight = async (query: InsightCall) => {
      queries.push(query)
      const total = await run(query)
      return create(QueryResponseSchema, { result: { case: 'segmentation', value: { total } } })
    }
    const ports = { runInsight, log, timeoutMs }
    const range = { ...RANGE, timeRange }
    const view = { dashboard, range, isFresh: false, signal: left.signal, requestId: 'r' }
    return await renderDashboard(ports, view)
  }
  return { render, queries, logged, left }
}

/** The outcome of each tile: the number, the message, or nothing. */
function outcomes({ tiles }: RenderedDashboard): unknown[] {
  return tiles.map(({ outcome }) => {
    if (outcome.case !== 'result') return outcome.value
    return outcome.value.result.case === 'segmentation' ? outcome.value.result.value.total : undefined
  })
}

/** Answers only when the call is aborted. */
const waitForEver: RunInsight = async ({ signal }) =>
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'left' })),
    )
  })

describe('a rendered dashboard', () => {
  test('has every tile in order, with the answer of its insight', async () => {
    const { render } = setUp([countOf('a'), countOf('bb', { displayName: 'B' }), countOf('ccc')])
    const rendered = await render(async (query) => kindOf(query).length)
    expect(outcomes(rendered)).toEqual([1, 2, 3])
    expect(rendered.tiles.map(({ tile }) => [tile?.id, tile?.displayName])).toEqual([
      ['t0', ''],
      ['t1', 'B'],
      ['t2', ''],
    ])
    expect(rendered).toMatchObject({
      id: 'd',
      displayName: 'Growth',
      description: 'all of it',
      defaultTimeRange: TimeRangePreset.LAST_7_DAYS,
      defaultGranularity: Granularity.DAY,
      createTime: timestampFromMs(1),
      updateTime: timestampFromMs(2),
    })
  })

  test('queries its project for the chosen range', async () => {
    const { render, queries } = setUp([countOf('a')])
    await render(async () => 1)
    expect(queries).toMatchObject([{ projectId: 7, isFresh: false, request: { ...RANGE, timezone: '' } }])
  })

  test('has no outcome for a text', async () => {
    const { render, queries } = setUp([{ content: { case: 'markdown', value: { body: 'hello' } } }])
    const rendered = await render(async () => 1)
    expect(rendered.tiles[0]?.outcome.case).toBeUndefined()
    expect(rendered.tiles[0]?.tile?.content).toMatchObject({ case: 'markdown', value: { body: 'hello' } })
    expect(queries).toEqual([])
  })

  test('runs equal queries once, even if the chart options of their tiles differ', async () => {
    const { render, queries } = setUp([
      countOf('a', { displayName: 'one' }),
      countOf('b'),
      countOf('a', { displayName: 'two', compare: ComparePeriod.PRIOR }),
      countOf('a', { position: { x: 1 } }),
    ])
    let count = 0
    expect(outcomes(await render(async () => ++count))).toEqual([1, 2, 1, 1])
    expect(queries.map(kindOf)).toEqual(['a', 'b'])
  })

  test('queries a tile by its own granularity, or the next wider one that the range allows', async () => {
    const own = [Granularity.UNSPECIFIED, Granularity.MINUTE, Granularity.WEEK, Granularity.MINUTE]
    const tiles = own.map((granularity): TileInit => ({ content: contentOf('a', granularity) }))
    const widths = async (timeRange: TimeRange) => {
      const { render, queries } = setUp(tiles, { timeRange })
      await render(async () => 1)
      return queries.map(({ request }) => request.granularity)
    }
    const { HOUR, MINUTE, DAY, WEEK } = Granularity
    expect(await widths(RANGE.timeRange)).toEqual([HOUR, MINUTE, WEEK])
    const month = create(TimeRangeSchema, { from: timestampFromMs(0), to: timestampFromMs(30 * 86_400_000) })
    expect(await widths(month)).toEqual([HOUR, DAY, WEEK])
  })

  test('queries a lifecycle by days or wider buckets', async () => {
    const own = [Granularity.UNSPECIFIED, Granularity.MINUTE, Granularity.WEEK]
    const { render, queries } = setUp(
      own.map((granularity) => ({ content: contentOf('a', granularity, InsightType.LIFECYCLE) })),
    )
    await render(async () => 1)
    const { DAY, WEEK } = Granularity
    expect(queries.map(({ request }) => request.granularity)).toEqual([DAY, DAY, WEEK])
  })

  test('runs two queries concurrently', async () => {
    const kinds = Array.from({ length: 30 }, (_, index) => `kind ${index}`)
    const { render } = setUp(kinds.map((kind) => countOf(kind)))
    let running = 0
    let runningMax = 0
    await render(async () => {
      runningMax = Math.max(runningMax, ++running)
      await new Promise(setImmediate)
      return --running
    })
    expect(runningMax).toBe(2)
  })
})

describe('a failed query', () => {
  test('is the error message of its tiles, and the others are answered', async () => {
    const { render, logged } = setUp([countOf('good'), countOf('bad'), countOf('bad'), countOf('fine')])
    const rendered = await render(async (query) => {
      if (kindOf(query) !== 'bad') return 1
      throw new ServiceError({
        code: 'resource_exhausted',
        reason: 'QUERY_TOO_EXPENSIVE',
        message: 'too much',
      })
    })
    expect(outcomes(rendered)).toEqual([1, 'too much', 'too much', 1])
    expect(logged).toEqual([])
  })

  test('with an internal error is logged, and its message is not shown', async () => {
    const { render, logged } = setUp([countOf('a'), countOf('bad')])
    const cause = new Error('the password is swordfish')
    const rendered = await render(async (query) => {
      if (kindOf(query) === 'bad') throw cause
      return 1
    })
    expect(outcomes(rendered)).toEqual([1, 'internal error'])
    expect(logged).toEqual([{ requestId: 'r', dashboard: 'd', err: cause }])
  })

  test('by deadline has its own message, and the others are answered', async () => {
    const { render, logged } = setUp([countOf('slow'), countOf('quick')], { timeoutMs: 50 })
    const rendered = await render(async (query) => {
      return kindOf(query) === 'slow' ? await waitForEver(query) : 1
    })
    expect(outcomes(rendered)).toEqual([expect.stringContaining('too long'), 1])
    expect(logged).toEqual([])
  })
})

test('after the client has gone is cancelled, and no other starts', async () => {
  const kinds = Array.from({ length: 20 }, (_, index) => `kind ${index}`)
  const { render, queries, left } = setUp(kinds.map((kind) => countOf(kind)))
  const rendered = render(waitForEver)
  await expect.poll(() => queries.length).toBe(2)
  left.abort()
  await expect(rendered).rejects.toMatchObject({ code: 'canceled' })
  expect(queries.every(({ signal }) => signal.aborted)).toBe(true)
  expect(queries).toHaveLength(2)
})

import { create } from '@bufbuild/protobuf'
import type { PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { Granularity, InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import {
  InsightsService,
  type QueryRequest,
  QueryRequestSchema,
} from '@contract/shared/insights/v1/insights_service_pb.js'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { loadTotals } from '@domain/insights/totals.ts'
import type { RangeMs } from '@domain/time-ranges.ts'
import { useQuery } from '@tanstack/solid-query'
import { askCompared } from '../insights/ask-compared.ts'
import type { Result } from '../insights/model/insight-type.ts'
import { toTimeRange } from '../insights/period.ts'
import { writeSpec } from '../insights/spec.ts'
import { clientOf } from '../rpc/client.ts'
import { Whole } from '../rpc/query-client.ts'
import { writeBoardFilters } from './board-state.ts'
import { createLane } from './lane.ts'
import { addFilters } from './merge-filters.ts'

const insightsClient = clientOf(InsightsService)

/** Two keep the store busy; each uses all of its cores, so that more only compete. */
const ASKED_MAX = 2

/** Tiles are queried in the order of the page, so that the first is shown first. */
const inLane = createLane(ASKED_MAX)

/** The answer of a tile. */
export interface TileAnswer {
  /** The query; absent where visitors see the dashboard. */
  readonly request?: QueryRequest
  readonly result: Result
  readonly previous: Result | undefined
  /** The values of series over the range. */
  readonly totals: readonly SeriesTotal[] | undefined
}

/** The state of a tile: its answer, possibly an older one while a newer one loads, or the reason for its absence. */
export interface ShownAnswer {
  readonly answer: () => TileAnswer | undefined
  readonly isOld: () => boolean
  readonly failure: () => unknown
  readonly retry: (() => void) | undefined
}

/** The query of a tile, with the range, the comparison and the filters of the dashboard. */
export interface TileQuery {
  readonly projectId: string
  readonly spec: InsightQuerySpec
  readonly granularity: Granularity
  readonly range: RangeMs
  readonly compared: RangeMs | undefined
  readonly filters: readonly PropertyFilter[]
  readonly timeZone: string
}

async function askTile(
  { spec: own, filters, granularity, range, compared, timeZone }: TileQuery,
  signal: AbortSignal,
): Promise<TileAnswer> {
  const spec = addFilters(own, filters)
  const request = create(QueryRequestSchema, { spec, timeRange: toTimeRange(range), granularity })
  const ask = async (one: InsightQuerySpec) =>
    await askCompared(
      { ...request, spec: one },
      { range, before: compared, timeZone },
      async (asked) => await insightsClient.query(asked, { signal }),
    )
  const answer = await ask(spec)
  const { result, previous } = answer
  return { request, result, previous, totals: await loadTotals(spec, answer, ask) }
}

function keyOf({ projectId, spec, granularity, range, compared, filters }: TileQuery): readonly unknown[] {
  return ['tile', projectId, writeSpec(spec), granularity, range, compared, writeBoardFilters(filters)]
}

/** The answer of one tile, which no other tile waits for; equal tiles share it. */
export function useTileAnswer(tile: {
  readonly query: () => TileQuery
  /** Tiles below the fold are queried when they scroll near. */
  readonly isNear: () => boolean
}): ShownAnswer {
  const asked = useQuery(() => {
    const query = tile.query()
    return {
      queryKey: keyOf(query),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        await inLane(async () => new Whole(await askTile(query, signal)), signal),
      enabled: tile.isNear(),
      placeholderData: (before: Whole<TileAnswer> | undefined) => before,
    }
  })
  return {
    // Reading `data` before the first answer would suspend the whole page.
    answer: () => (asked.isSuccess ? asked.data.answer : undefined),
    isOld: () => asked.isPlaceholderData || (asked.isSuccess && asked.isFetching),
    failure: () => (asked.isError ? asked.error : undefined),
    retry: () => void asked.refetch(),
  }
}

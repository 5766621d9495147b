import { create } from '@bufbuild/protobuf'
import { FilterOperator, PropertyFilterSchema } from '../../src/contract/gen/common/v1/filter_pb.js'
import { FilterGroupSchema } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { InsightQuerySpec } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { startStore } from '../rig/store.ts'
import { queryTrends, totalByDay } from '../rig/trends.ts'
import type { Teardown } from '../teardown.ts'

const PROJECT = asProjectId(1)
const RANGE = { fromMs: Date.UTC(2026, 0, 16), toMs: Date.UTC(2026, 1, 15) } as const

const GROUPS = 20
/** In each group; the values of all of them are as many as a statement takes. */
const FILTERS = { many: 22, few: 1 } as const

/** A query of 440 filters over no events: the remaining work is the plan. */
export const planCases: readonly BenchCase[] = [
  {
    name: 'plan/440-filters',
    unit: 'ms wall/query',
    baseline: 'the same with 20 filters',
    rounds: 5,
    prepare: async (teardown) => await prepare(teardown),
  },
]

async function prepare(teardown: Teardown): Promise<MeasureRound> {
  const store = await startStore(teardown)
  const costOf = async (filtersPerGroup: number): Promise<number> => {
    const request = totalByDay(RANGE)
    if (request.spec) filter(request.spec, filtersPerGroup)
    const startMs = monotonicMs()
    await queryTrends(store.run, PROJECT, request)
    return monotonicMs() - startMs
  }
  return async () => ({ cost: await costOf(FILTERS.many), baseline: await costOf(FILTERS.few) })
}

function filter(spec: InsightQuerySpec, filtersPerGroup: number): void {
  const operator = FilterOperator.CONTAINS
  spec.filterGroups = Array.from({ length: GROUPS }, (_group, group) =>
    create(FilterGroupSchema, {
      filters: Array.from({ length: filtersPerGroup }, (_filter, index) =>
        create(PropertyFilterSchema, { property: `key${group}-${index}`, operator, value: 'x' }),
      ),
    }),
  )
}

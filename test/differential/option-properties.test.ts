import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FunnelOptions_Order,
  FunnelOptions_View,
  type FunnelOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/funnel_options_pb.js'
import {
  RetentionOptions_ReturnRule,
  RetentionOptions_StartRule,
  type RetentionOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/retention_options_pb.js'
import {
  InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { type GeneratedWorld, generateRequest, generateWorld } from './generate.ts'
import { projectOf } from './project-of.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import type { WorldStore } from './world-store.ts'

const SEEDS = [21, 22]
const QUERIES = 12

type Funnel = MessageInitShape<typeof FunnelOptionsSchema>
type Retention = MessageInitShape<typeof RetentionOptionsSchema>

let store: WorldStore
const worlds: { readonly generated: GeneratedWorld; readonly projectId: ProjectId }[] = []

beforeAll(async () => {
  store = await openSharedWorldStore()
  for (const generated of SEEDS.map((seed) => generateWorld(seed)))
    worlds.push({ generated, projectId: await store.load(generated) })
  await store.settle()
})

afterAll(async () => await store.close())

/** Answers random queries of a type with each of some options, without breakdowns. */
async function answerEach(
  insightType: InsightType.FUNNEL | InsightType.RETENTION,
  options: readonly { readonly funnel?: Funnel; readonly retention?: Retention }[],
): Promise<readonly (readonly QueryResponse['result'][])[]> {
  const rng = new Prng(insightType)
  return await Promise.all(
    Array.from({ length: QUERIES }, async () => {
      const { generated, projectId } = rng.pick(worlds)
      const request = generateRequest(rng, generated, insightType)
      const spec = request.spec ?? create(InsightQuerySpecSchema)
      const answers = options.map(async (each) => {
        // A message as the initial value of another would be taken as it is, options included.
        const { $typeName: _name, funnel: _funnel, retention: _retention, ...rest } = spec
        const unsplit = { breakdowns: [], breakdownLimit: 0, breakdownCohortIds: [] }
        const changed = create(InsightQuerySpecSchema, { ...rest, ...each, ...unsplit })
        const project = projectOf(generated.world, projectId)
        const insight = prepareInsight(create(QueryRequestSchema, { ...request, spec: changed }), project)
        const answer = await insight.answer(
          async (query) => await store.run(query, AbortSignal.timeout(60_000)),
        )
        return create(QueryResponseSchema, answer).result
      })
      return await Promise.all(answers)
    }),
  )
}

function totalsOf(result: QueryResponse['result'] | undefined): readonly number[] {
  return result?.case === 'funnel' ? (result.value.series[0]?.steps.map(({ total }) => total) ?? []) : []
}

test('no step has fewer users in any order than in sequence, nor more in strict order', {
  timeout: 120_000,
}, async () => {
  const { STRICT, SEQUENTIAL, ANY } = FunnelOptions_Order
  const answers = await answerEach(
    InsightType.FUNNEL,
    [STRICT, SEQUENTIAL, ANY].map((order) => ({ funnel: { order } })),
  )
  const steps = answers.flatMap(([strict, sequential, any]) =>
    totalsOf(sequential).map((total, step) => [
      totalsOf(strict)[step] ?? -1,
      total,
      totalsOf(any)[step] ?? -1,
    ]),
  )
  expect(steps.filter((counts) => counts.toSorted((a, b) => a - b).join() !== counts.join())).toEqual([])
  expect(
    new Set(steps.map(([strict, sequential, any]) => strict !== sequential && sequential !== any)).size,
  ).toBe(2)
})

test('the attempts of buckets convert as often as those of the range, or more often', {
  timeout: 120_000,
}, async () => {
  const answers = await answerEach(InsightType.FUNNEL, [{ funnel: { view: FunnelOptions_View.OVER_TIME } }])
  const series = answers.flatMap(([result]) => (result?.case === 'funnel' ? result.value.series : []))
  const sums = series.map(({ steps, overTime }) => ({
    entered: steps[0]?.total ?? 0,
    finished: steps.at(-1)?.total ?? 0,
    started: overTime.reduce((sum, { started }) => sum + started, 0),
    converted: overTime.reduce((sum, { converted }) => sum + converted, 0),
  }))
  expect(sums.filter(({ entered, started }) => started < entered)).toEqual([])
  expect(sums.filter(({ finished, converted }) => converted < finished)).toEqual([])
  expect(sums.some(({ finished }) => finished > 0)).toBe(true)
})

test('cohorts return at least as often on or after a period as in it', { timeout: 120_000 }, async () => {
  const { ON, ON_OR_AFTER } = RetentionOptions_ReturnRule
  const { FIRST_IN_RANGE, FIRST_EVER, EVERY } = RetentionOptions_StartRule
  const answers = await answerEach(InsightType.RETENTION, [
    { retention: { returnRule: ON } },
    { retention: { returnRule: ON_OR_AFTER, startRule: FIRST_IN_RANGE } },
    { retention: { startRule: FIRST_EVER } },
    { retention: { startRule: EVERY } },
  ])
  const cohortsOf = (result: QueryResponse['result'] | undefined) =>
    result?.case === 'retention' ? (result.value.series[0]?.cohorts ?? []) : []
  const broken = answers.flatMap(([on, after, ever, every]) =>
    cohortsOf(on).filter((cohort, index) => {
      const later = cohortsOf(after)[index]?.points.map(({ value }) => value) ?? []
      const [least, most] = [cohortsOf(ever)[index], cohortsOf(every)[index]]
      const falls = later.every((value, period) => value <= (later[period - 1] ?? 100) + 1e-9)
      const covers = cohort.points.every(({ value }, period) => value <= (later[period] ?? -1) + 1e-9)
      const isBetween =
        (least?.cohortSize ?? 0) <= cohort.cohortSize && cohort.cohortSize <= (most?.cohortSize ?? -1)
      return !falls || !covers || !isBetween
    }),
  )
  expect(broken).toEqual([])
  expect(answers.some(([on]) => cohortsOf(on).some(({ cohortSize }) => cohortSize > 1))).toBe(true)
})

import { create, toJson } from '@bufbuild/protobuf'
import {
  type QueryRequest,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { compareResponses } from './compare.ts'
import { type GeneratedWorld, generateRequest, generateWorld } from './generate.ts'
import { projectOf } from './project-of.ts'
import { answer } from './reference.ts'
import type { WorldStore } from './world-store.ts'

/** A query whose two answers differ, with everything that is needed to run it again. */
export interface Difference {
  readonly worldSeed: number
  readonly request: unknown
  /** The differences, or the error that came instead of an answer. */
  readonly differences: readonly string[]
}

/** The worlds and requests of one run. */
export interface DifferentialRun {
  readonly seed: number
  readonly worldCount: number
  readonly requestsPerWorld: number
  /** Only requests that this accepts. */
  readonly accepts?: (request: QueryRequest) => boolean
}

/** How many queries ran, and which answers differ from the reference's. */
export interface DifferentialResult {
  readonly requestCount: number
  readonly differences: readonly Difference[]
}

const QUERY_MS_MAX = 60_000
/** Draws until a request is accepted; enough for a type that is one in nine. */
const DRAWS_MAX = 1000

/** Loads worlds into the engine and runs the same queries on it and on the reference. */
export async function runDifferential(
  store: WorldStore,
  { seed, worldCount, requestsPerWorld, accepts = () => true }: DifferentialRun,
): Promise<DifferentialResult> {
  const worlds = Array.from({ length: worldCount }, (_, index) => generateWorld(seed + index))
  const loaded: { readonly generated: GeneratedWorld; readonly projectId: ProjectId }[] = []
  for (const generated of worlds) loaded.push({ generated, projectId: await store.load(generated) })
  await store.settle()
  const differences: Difference[] = []
  let requestCount = 0
  for (const { generated, projectId } of loaded) {
    const rng = new Prng(generated.seed + 1_000_000)
    for (let index = 0; index < requestsPerWorld; index++) {
      const request = drawRequest(rng, { generated, accepts })
      requestCount++
      const found = await compareOnce(store, { generated, projectId, request })
      if (found) differences.push(found)
    }
  }
  return { requestCount, differences }
}

function drawRequest(
  rng: Prng,
  {
    generated,
    accepts,
  }: { readonly generated: GeneratedWorld; readonly accepts: (request: QueryRequest) => boolean },
): QueryRequest {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const request = generateRequest(rng, generated)
    if (accepts(request)) return request
  }
  throw new Error('no generated request is accepted')
}

async function compareOnce(
  store: WorldStore,
  input: {
    readonly generated: GeneratedWorld
    readonly projectId: ProjectId
    readonly request: QueryRequest
  },
): Promise<Difference | undefined> {
  const { generated, projectId, request } = input
  const differences = await findDifferences(store, { generated, projectId, request })
  if (differences.length === 0) return undefined
  return { worldSeed: generated.seed, request: toJson(QueryRequestSchema, request), differences }
}

async function findDifferences(
  store: WorldStore,
  input: {
    readonly generated: GeneratedWorld
    readonly projectId: ProjectId
    readonly request: QueryRequest
  },
): Promise<readonly string[]> {
  const { generated, projectId, request } = input
  const expected = answer(generated.world, request)
  try {
    const insight = prepareInsight(request, projectOf(generated.world, projectId))
    const signal = AbortSignal.timeout(QUERY_MS_MAX)
    const actual = await insight.answer(async (query) => await store.run(query, signal))
    return compareResponses({ expected, actual: create(QueryResponseSchema, actual) })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return [`no answer: ${String(error)}${cause}`]
  }
}

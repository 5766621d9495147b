import { toJson } from '@bufbuild/protobuf'
import {
  Dimension,
  QueryOverviewRequestSchema,
  QueryTableRequestSchema,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { render } from '../../src/query/sql/sql.ts'
import { VisitScans } from '../../src/query/web/visit-scans.ts'
import { compareValues } from './compare.ts'
import { differInsight, generateRowInsight } from './folded-insights.ts'
import type { ReferenceEvent } from './model.ts'
import { projectOf } from './project-of.ts'
import { queryOverview, queryTable } from './web-answers.ts'
import { answerOverview, answerTable } from './web-reference.ts'
import { DIMENSION_NUMBERS, generateOverviewRequest, generateTableRequest } from './web-requests.ts'
import { generateWebWorld, type WebWorld } from './web-world.ts'
import type { WorldStore } from './world-store.ts'

const OVERVIEWS = 8
/** Half of them are flows, of which some ask for ranges that rows do not answer. */
const INSIGHTS = 32
const STATEMENT_MS_MAX = 60_000

/** A world of which some events have arrived. */
export interface ArrivingWorld {
  readonly whole: WebWorld
  order: readonly ReferenceEvent[]
  readonly projectId: ProjectId
  arrived: number
}

/** Worlds whose events arrive in no order, so that a later arrival may begin a session earlier, or on another day. */
export class FoldedWorlds {
  readonly worlds: readonly ArrivingWorld[]
  readonly #store: WorldStore
  #tableReads = 0
  #states = 0

  private constructor(store: WorldStore, worlds: readonly ArrivingWorld[]) {
    this.#store = store
    this.worlds = worlds
  }

  /** Stores the people of each world, and none of its events yet. */
  static async open(store: WorldStore, seeds: readonly number[]): Promise<FoldedWorlds> {
    const worlds: ArrivingWorld[] = []
    for (const whole of seeds.map((seed) => generateWebWorld(seed))) {
      const order = shuffled(new Prng(whole.seed + 5), whole.world.events)
      const none = { ...whole, world: { ...whole.world, events: [] }, copies: [] }
      worlds.push({ whole, order, projectId: await store.load(none), arrived: 0 })
    }
    await store.settle()
    return new FoldedWorlds(store, worlds)
  }

  /** Statements that have read the table of visits, besides searches for what it covers. */
  get tableReads(): number {
    return this.#tableReads
  }

  /** Stores the events of each world up to a share of them. */
  async arrive(share: number): Promise<void> {
    for (const world of this.worlds) {
      const until = Math.round(world.order.length * share)
      await this.#store.add(world.projectId, world.order.slice(world.arrived, until))
      world.arrived = until
    }
  }

  /** Stores the copies of each world. */
  async arriveAgain(): Promise<void> {
    for (const { whole, projectId } of this.worlds) await this.#store.add(projectId, whole.copies)
  }

  /** Stores copies of two events of each world that name another session: of any event, and of the very first. */
  async moveTwo(): Promise<void> {
    for (const world of this.worlds) {
      await this.#move(world, world.order[0])
      await this.#move(world, world.order.toSorted((left, right) => left.occurMs - right.occurMs)[0])
    }
  }

  async #move(world: ArrivingWorld, event: ReferenceEvent | undefined): Promise<void> {
    const other = world.order.find(({ sessionId }) => sessionId !== event?.sessionId)
    if (!event || !other) throw new Error('a world has two sessions')
    const moved = { ...event, sessionId: other.sessionId }
    await this.#store.add(world.projectId, [moved])
    world.order = world.order.map((one) => (one === event ? moved : one))
  }

  /** Requests that are answered otherwise than by the reference. */
  async findDifferences(): Promise<readonly unknown[]> {
    return await this.#findAmong(1)
  }

  /** The same with fewer requests, for a state that is one of many. */
  async findSomeDifferences(): Promise<readonly unknown[]> {
    return await this.#findAmong(0.3)
  }

  async #findAmong(share: number): Promise<readonly unknown[]> {
    const differences: unknown[] = []
    for (const world of this.worlds) differences.push(...(await this.#differencesOf(world, share)))
    return differences
  }

  async #differencesOf(
    { whole, order, arrived, projectId }: ArrivingWorld,
    share: number,
  ): Promise<readonly unknown[]> {
    const differences: unknown[] = []
    const web = { ...whole, world: { ...whole.world, events: order.slice(0, arrived) } }
    const project = projectOf(web.world, projectId)
    const asked = { project, goals: web.goals, run: this.#run }
    const rng = new Prng(web.seed + arrived + this.#states++)
    for (let index = 0; index < OVERVIEWS * share; index++) {
      const request = withoutSome(rng, generateOverviewRequest(rng, whole))
      const { plain } = await queryOverview(request, asked)
      const found = compareValues({ expected: answerOverview(web, request), actual: plain })
      if (found.length > 0) differences.push([toJson(QueryOverviewRequestSchema, request), found])
    }
    for (let index = 0; index < INSIGHTS * share; index++) {
      differences.push(...(await differInsight(web, generateRowInsight(rng, whole), asked)))
    }
    const dimensions = DIMENSION_NUMBERS.filter((number) => number !== Dimension.GOAL && rng.chance(share))
    for (const dimension of dimensions) {
      const request = withoutSome(rng, generateTableRequest(rng, whole, dimension))
      const actual = await queryTable(request, asked)
      const found = compareValues({ expected: answerTable(web, request), actual })
      if (found.length > 0) differences.push([toJson(QueryTableRequestSchema, request), found])
    }
    return differences
  }

  /** Questions about the same visits, asked at once as those of a page are, that are answered otherwise than by the reference. */
  async findDifferencesTogether(): Promise<readonly unknown[]> {
    const differences: unknown[] = []
    for (const { whole, order, arrived, projectId } of this.worlds) {
      const web = { ...whole, world: { ...whole.world, events: order.slice(0, arrived) } }
      const project = projectOf(web.world, projectId)
      const asked = { project, goals: web.goals, run: this.#run, scans: new VisitScans() }
      const rng = new Prng(web.seed + this.#states++)
      const overview = withoutSome(rng, generateOverviewRequest(rng, whole))
      const { timeRange, filters, includeBots } = overview
      const compare = async (dimension: Dimension): Promise<void> => {
        const request = generateTableRequest(rng, whole, dimension)
        const same = {
          ...request,
          filters,
          includeBots,
          granularity: Granularity.UNSPECIFIED,
          ...(timeRange ? { timeRange } : {}),
        }
        const actual = await queryTable(same, asked)
        const found = compareValues({ expected: answerTable(web, same), actual })
        if (found.length > 0) differences.push([toJson(QueryTableRequestSchema, same), found])
      }
      const tables = DIMENSION_NUMBERS.filter((number) => number !== Dimension.GOAL).map(compare)
      const [{ plain }] = await Promise.all([queryOverview(overview, asked), ...tables])
      const found = compareValues({ expected: answerOverview(web, overview), actual: plain })
      if (found.length > 0) differences.push([toJson(QueryOverviewRequestSchema, overview), found])
    }
    return differences
  }

  readonly #run: QueryRunner = async (query) => {
    const { text } = render(query.statement)
    if (text.includes('FROM visits FINAL ') && !text.includes('visit_coverage')) this.#tableReads++
    return await this.#store.run(query, AbortSignal.timeout(STATEMENT_MS_MAX))
  }
}

/** Half of the requests without conditions, most of which keep them from the table. */
function withoutSome<T extends { readonly filters: readonly unknown[] }>(rng: Prng, request: T): T {
  return rng.chance(0.5) ? request : { ...request, filters: [] }
}

function shuffled<T>(rng: Prng, values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: rng.unit() }))
  return keyed.toSorted((left, right) => left.key - right.key).map(({ value }) => value)
}

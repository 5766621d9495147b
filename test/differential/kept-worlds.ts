import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { DayKeeper } from '../../src/query/days/day-keeper.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { createInsertFound } from '../../src/query/sql/execute.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { render, type Sql } from '../../src/query/sql/sql.ts'
import { CELLS_ID_PREFIX } from '../../src/store/clickhouse/running-folds.ts'
import { untilArrivalsCovered } from '../harness/fold-visits.ts'
import { WIDE_LIMITS } from '../harness/own-engine.ts'
import { compareResponses } from './compare.ts'
import { type GeneratedWorld, generateRequest, generateWorld } from './generate.ts'
import type { People, ReferenceEvent } from './model.ts'
import { projectOf } from './project-of.ts'
import { answer } from './reference.ts'
import type { Scene } from './scenes.ts'
import type { WorldStore } from './world-store.ts'

const QUERY_MS_MAX = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS_AROUND = 20
/** Changes of the worlds of a long run. */
const STATES = 20

/** Types whose statements are over cells. */
const TYPES = [InsightType.TRENDS, InsightType.SEGMENTATION, InsightType.TOP_K, InsightType.MAP] as const

/** The hours of cells that a statement reads, 0 being that of a day. */
const HOURS_READ = /IN arrayZip\(\{\w+:Array\(Date\)\}, \{(\w+):Array\(UInt8\)\}/

/** A world of which some events and people have arrived, and the questions that are asked again and again. */
interface KeptWorld {
  readonly whole: GeneratedWorld
  readonly projectId: ProjectId
  readonly requests: readonly QueryRequest[]
  order: readonly ReferenceEvent[]
  people: People
  arrived: number
}

/** Worlds that change between questions, whose days are kept. */
export class KeptWorlds {
  readonly #worlds: readonly KeptWorld[]
  readonly #rng: Prng
  #store: WorldStore
  #keeper: DayKeeper
  /** Days that could not be stored. */
  readonly failures: unknown[] = []
  #keptReads = 0
  #hourReads = 0
  #questions = 0
  #onStored: () => void = () => undefined

  private constructor(store: WorldStore, worlds: readonly KeptWorld[], seed: number) {
    this.#store = store
    this.#worlds = worlds
    this.#rng = new Prng(seed)
    this.#keeper = this.#createKeeper(store)
  }

  #createKeeper(store: WorldStore): DayKeeper {
    const insert = createInsertFound(store.clickhouse, WIDE_LIMITS, { idPrefix: CELLS_ID_PREFIX })
    return new DayKeeper({
      insertFound: async (statement, signal) => {
        await insert(statement, signal)
        this.#onStored()
      },
      readCellSpace: async () => await Promise.resolve({ storedBytes: 0, freeBytes: 1 }),
      storedBytesMax: 1,
      isBusy: () => false,
      storesFrom: 'first asking',
      stateMs: 0,
      isOneNode: store.clickhouse.cluster === undefined,
      rowsMin: 0,
      storedEventsMin: 0,
      lagMs: 0,
      retentionDays: 0,
      log: { debug: (fields: unknown) => void this.failures.push(fields) },
    })
  }

  /** Stores half of the people of each world, and none of its events yet. The last world is around the present hour. */
  static async open(
    store: WorldStore,
    {
      seed,
      worldCount,
      requestCount,
    }: { readonly seed: number; readonly worldCount: number; readonly requestCount: number },
  ): Promise<KeptWorlds> {
    const worlds: KeptWorld[] = []
    for (let index = 0; index < worldCount; index++) {
      const isOfToday = index === worldCount - 1
      const whole = generateWorld(seed + index, isOfToday ? { scene: sceneOfToday() } : {})
      const rng = new Prng(whole.seed + 7)
      const people = { profiles: whole.world.people.profiles.filter(() => rng.chance(0.5)) }
      const none = { ...whole, world: { ...whole.world, people, events: [] }, copies: [] }
      const drawn = Array.from({ length: requestCount }, () => drawRequest(rng, whole))
      const requests = [...requestUsers(whole), ...drawn]
      const order = shuffled(rng, whole.world.events)
      worlds.push({ whole, projectId: await store.load(none), requests, order, people, arrived: 0 })
    }
    await store.settle()
    return new KeptWorlds(store, worlds, seed)
  }

  /** Goes on with the same worlds in another engine, as a process that has just started. */
  async moveTo(store: WorldStore): Promise<void> {
    await this.#keeper.stop()
    this.failures.length = 0
    this.#store = store
    this.#keeper = this.#createKeeper(store)
  }

  /** Answers with cells of days that were stored. */
  get keptReads(): number {
    return this.#keptReads
  }

  /** Answers with cells of hours. */
  get hourReads(): number {
    return this.#hourReads
  }

  /** Questions that were compared. */
  get questions(): number {
    return this.#questions
  }

  /** Calls `strike` once so many more statements have stored cells or fills, before the next one is sent. */
  afterStored(count: number, strike: () => void): void {
    let left = count
    this.#onStored = () => {
      left--
      if (left === 0) strike()
    }
  }

  /** Stores some of the events that have not arrived, in no order. */
  async arrive(share: number): Promise<void> {
    for (const world of this.#worlds) {
      const until = Math.min(world.order.length, world.arrived + Math.ceil(world.order.length * share))
      await this.#store.add(world.projectId, world.order.slice(world.arrived, until))
      world.arrived = until
    }
  }

  /** Stores some of the events once more. */
  async arriveAgain(): Promise<void> {
    for (const { order, arrived, projectId } of this.#worlds) {
      const copies = order.slice(0, arrived).filter(() => this.#rng.chance(0.1))
      await this.#store.add(projectId, copies)
    }
  }

  /** Identifies the people who were not, with the ids that they claim. */
  async merge(): Promise<void> {
    for (const world of this.#worlds) {
      const known = new Set(world.people.profiles)
      const { people } = world.whole.world
      await this.#store.identify(world.projectId, {
        profiles: people.profiles.filter((profile) => !known.has(profile)),
      })
      world.people = people
    }
    await this.#store.settle()
  }

  /** Erases one person of each world who is not identified. */
  async erase(eraseRows: (projectId: ProjectId, distinctId: string) => Promise<void>): Promise<void> {
    for (const world of this.#worlds) {
      const { profiles } = world.whole.world.people
      const named = new Set(profiles.flatMap((one) => [one.externalId, one.profileId, ...one.anonymousIds]))
      const erased = world.order
        .slice(0, world.arrived)
        .find(({ distinctId, cookieless }) => !cookieless && !named.has(distinctId))
      if (!erased) continue
      await eraseRows(world.projectId, erased.distinctId)
      const isOther = ({ distinctId }: ReferenceEvent): boolean => distinctId !== erased.distinctId
      const left = world.order.slice(0, world.arrived).filter(isOther)
      world.order = [...left, ...world.order.slice(world.arrived).filter(isOther)]
      world.arrived = left.length
    }
  }

  /** Whatever has arrived can be kept from now on. */
  async cover(): Promise<void> {
    await untilArrivalsCovered(this.#store.clickhouse)
  }

  /** Questions, each asked while its days may be kept and again when they are, that are answered otherwise than by the reference. */
  async findDifferences(): Promise<readonly unknown[]> {
    const first = await this.#findOnce()
    await this.#keeper.settle()
    return first.length > 0 ? first : await this.#findOnce()
  }

  /** Resolves when nothing is stored any more. */
  async stop(): Promise<void> {
    await this.#keeper.stop()
  }

  async #findOnce(): Promise<readonly unknown[]> {
    const differences: unknown[] = []
    for (const world of this.#worlds) {
      for (const request of world.requests) {
        const found = await this.#compare(world, request)
        if (found.length > 0) differences.push([world.whole.seed, toJson(QueryRequestSchema, request), found])
      }
    }
    return differences
  }

  async #compare(
    { whole, order, arrived, people, projectId }: KeptWorld,
    request: QueryRequest,
  ): Promise<readonly string[]> {
    this.#questions++
    const world = { ...whole.world, people, events: order.slice(0, arrived) }
    const expected = answer(world, request)
    const insight = prepareInsight(request, projectOf(world, projectId))
    const actual = await insight.answer(this.#run)
    return compareResponses({ expected, actual: create(QueryResponseSchema, actual) })
  }

  #countReads(statement: Sql): void {
    const { text, params } = render(statement)
    const [, hours] = HOURS_READ.exec(text) ?? []
    if (hours === undefined) return
    this.#keptReads++
    if (
      String(params[hours])
        .split(',')
        .some((hour) => hour !== '0')
    )
      this.#hourReads++
  }

  readonly #run: QueryRunner = async (query) => {
    const once: QueryRunner = async (one) => {
      this.#countReads(one.statement)
      return await this.#store.run(one, AbortSignal.timeout(QUERY_MS_MAX))
    }
    const { days } = query
    return days ? await this.#keeper.answer({ ...query, days }, once, () => 0) : await once(query)
  }
}

/** Days that are over, one that is not, and others that have not begun, in a zone off the hour. */
function sceneOfToday(): Scene {
  return { timeZone: 'Asia/Kathmandu', anchorMs: Math.floor(Date.now() / HOUR_MS) * HOUR_MS }
}

type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>

/**
 * Questions about users, whose hashes are kept: of buckets that are days of the store and of others, of more buckets than a mask has bits, and
 * of all days.
 */
function requestUsers({ scene: { anchorMs, timeZone } }: GeneratedWorld): readonly QueryRequest[] {
  const middleMs = Math.floor(anchorMs / DAY_MS) * DAY_MS
  const users = [{ event: { kind: '' }, aggregation: AggregationType.UNIQUE_USERS }]
  const perUser = [{ event: { kind: '' }, aggregation: AggregationType.PER_USER_AVG }]
  const ask = (
    granularity: Granularity,
    { timezone = timeZone, daysAround = DAYS_AROUND, ...spec }: Spec & AskedAbout = {},
  ): QueryRequest =>
    create(QueryRequestSchema, {
      spec: { insightType: InsightType.TRENDS, events: users, ...spec },
      granularity,
      timeRange: {
        from: timestampFromMs(middleMs - daysAround * DAY_MS),
        to: timestampFromMs(middleMs + daysAround * DAY_MS),
      },
      timezone,
    })
  return [
    ask(Granularity.DAY, { timezone: 'UTC' }),
    ask(Granularity.DAY, { daysAround: 50 }),
    ask(Granularity.DAY, { breakdowns: [{ property: '$browser' }], breakdownLimit: 2, daysAround: 40 }),
    ask(Granularity.WEEK, { events: perUser }),
    ask(Granularity.HOUR, { daysAround: 3 }),
    ask(Granularity.DAY, { insightType: InsightType.SEGMENTATION }),
  ]
}

/** The range of a question about users. */
interface AskedAbout {
  /** That of the world when absent. */
  readonly timezone?: string
  readonly daysAround?: number
}

/** Asks the questions of worlds while these change in every way that events and people do, and at random. */
export async function compareKept(
  store: WorldStore,
  options: { readonly seed: number; readonly worldCount: number; readonly requestCount: number },
): Promise<{ readonly requestCount: number; readonly differences: readonly unknown[] }> {
  const kept = await KeptWorlds.open(store, options)
  const rng = new Prng(options.seed + 3)
  const steps = [
    async () => await kept.arrive(0.03 + rng.unit() / 10),
    async () => await kept.arriveAgain(),
    async () => await kept.cover(),
    async () => await kept.merge(),
  ]
  const differences: unknown[] = []
  try {
    await kept.arrive(0.4)
    for (let state = 0; state < STATES; state++) {
      await rng.pick(steps)()
      differences.push(...(await kept.findDifferences()), ...kept.failures.splice(0))
    }
  } finally {
    await kept.stop()
  }
  process.stdout.write(`${kept.keptReads} answers read kept days, ${kept.hourReads} of them kept hours\n`)
  return { requestCount: kept.questions, differences }
}

/** Half of the requests without conditions, some of which keep an answer from being kept. */
function drawRequest(rng: Prng, whole: GeneratedWorld): QueryRequest {
  for (;;) {
    const request = generateRequest(rng, whole, rng.pick(TYPES))
    if (request.spec?.session) continue
    if (request.spec && rng.chance(0.6)) {
      request.spec.filterGroups = []
      request.spec.cohorts = []
    }
    return request
  }
}

function shuffled<T>(rng: Prng, values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: rng.unit() }))
  return keyed.toSorted((left, right) => left.key - right.key).map(({ value }) => value)
}

import { asProjectId, type ProjectId } from '../../src/contract/ids.ts'
import { EventColumns } from '../../src/pipeline/encode/event-columns.ts'
import { toNativeBlocks } from '../../src/pipeline/encode/stored-block.ts'
import type { Event, PropertyValue } from '../../src/pipeline/event/event.ts'
import { createRunQuery, type RunQuery } from '../../src/query/sql/run.ts'
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  insertNative,
  openClickHouse,
} from '../../src/store/clickhouse/client.ts'
import { commandEverywhere } from '../../src/store/clickhouse/cluster.ts'
import { changeCohortMembers } from '../../src/store/clickhouse/cohort-members.ts'
import { migrateClickHouse } from '../../src/store/clickhouse/migrate.ts'
import { LOCAL_ACCESS } from '../../src/store/embedded/engine.ts'
import { untilSessionsFolded } from '../harness/fold-visits.ts'
import { startOwnEngine, WIDE_LIMITS } from '../harness/own-engine.ts'
import { startTwoShards } from '../harness/two-shards.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { People, ReferenceEvent, ReferenceWorld, TypedValue } from './model.ts'

/** A real engine with worlds in it, each in a separate project. */
export interface WorldStore {
  readonly run: RunQuery
  readonly clickhouse: ClickHouse
  /** Stores a world as ingestion would, copies in a separate INSERT; call `settle` after the last one. */
  load(generated: GeneratedWorld): Promise<ProjectId>
  /** Stores more events of a world, in a separate INSERT. */
  add(projectId: ProjectId, events: readonly ReferenceEvent[]): Promise<void>
  /** Stores more people of a world. */
  identify(projectId: ProjectId, people: People): Promise<void>
  /** Makes merges of users visible to queries. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** The engine or the cluster with the worlds, and how it is stopped. */
export interface WorldPlace {
  readonly endpoint: ClickHouseEndpoint
  close(): Promise<void>
}

/** Starts an engine in a temporary folder, or two that are the shards of a cluster, with the schema of the service. */
export async function openWorldStore(on: 'one engine' | 'two shards' = 'one engine'): Promise<WorldStore> {
  const place = on === 'one engine' ? await startOne() : await startTwo()
  const store = connectWorldStore(place, { firstProject: 1, isFolded: on === 'two shards' })
  await migrateClickHouse(store.clickhouse, LOCAL_ACCESS)
  return store
}

/** A store on an engine that runs and has the schema. */
export function connectWorldStore(
  place: WorldPlace,
  { firstProject, isFolded }: { readonly firstProject: number; readonly isFolded: boolean },
): WorldStore {
  const clickhouse = openClickHouse(place.endpoint, {
    application: 'millrace-test',
    connectionsMax: 8,
    requestTimeoutMs: 120_000,
  })
  let nextProject = firstProject
  return {
    run: createRunQuery(clickhouse, WIDE_LIMITS),
    clickhouse,
    load: async ({ world, copies }) => {
      const projectId = asProjectId(nextProject++)
      await insertEvents(clickhouse, projectId, world.events)
      await insertEvents(clickhouse, projectId, copies)
      await insertPeople(clickhouse, projectId, world.people)
      await insertLists(clickhouse, projectId, world)
      return projectId
    },
    add: async (projectId, events) => await insertEvents(clickhouse, projectId, events),
    identify: async (projectId, people) => await insertPeople(clickhouse, projectId, people),
    settle: async () => {
      await commandEverywhere(clickhouse, 'SYSTEM RELOAD DICTIONARY identities')
      if (isFolded) await untilSessionsFolded(clickhouse)
    },
    close: async () => {
      await clickhouse.close()
      await place.close()
    },
  }
}

async function startOne(): Promise<WorldPlace> {
  const { endpoint, stop } = await startOwnEngine()
  return { endpoint, close: stop }
}

async function startTwo(): Promise<WorldPlace> {
  const shards = await startTwoShards()
  return { endpoint: shards.endpoint(), close: shards.close }
}

async function insertEvents(
  clickhouse: ClickHouse,
  projectId: ProjectId,
  events: readonly ReferenceEvent[],
): Promise<void> {
  if (events.length === 0) return
  const columns = new EventColumns()
  for (const event of events) columns.addEvent(toEvent(event), { projectId, requestIndex: 0 })
  for (const { row } of columns.pendingIdentities) {
    const event = events[row]
    if (event) columns.resolveIdentity(row, event.distinctId, event.sessionId)
  }
  const blocks = toNativeBlocks([columns.finish().bytes])
  await insertNative(clickhouse, { table: 'events', blocks, id: crypto.randomUUID() })
}

function toEvent({ occurMs, properties, ...event }: ReferenceEvent): Event {
  return {
    ...event,
    timeMs: occurMs,
    properties: [...properties].map(([key, value]) => ({ key, value: toValue(value) })),
  }
}

function toValue(value: TypedValue): PropertyValue {
  return value.type === 'timestamp' ? { type: 'time', value: value.value } : value
}

async function insertLists(
  clickhouse: ClickHouse,
  projectId: ProjectId,
  { cohorts = [] }: ReferenceWorld,
): Promise<void> {
  for (const { id, ids = [] } of cohorts) {
    if (ids.length === 0) continue
    const change = { projectId, cohortId: id }
    const others = ['nobody-else', ...ids.slice(0, 2)]
    await changeCohortMembers(clickhouse, { ...change, ids: others, isMember: true, version: 1 })
    await changeCohortMembers(clickhouse, { ...change, ids: others, isMember: false, version: 2 })
    await changeCohortMembers(clickhouse, { ...change, ids, isMember: true, version: 3 })
  }
}

async function insertPeople(clickhouse: ClickHouse, project: ProjectId, { profiles }: People): Promise<void> {
  const claims = profiles.flatMap(({ externalId, anonymousIds }) =>
    anonymousIds.map((anonymousId) => ({ anonymousId, externalId })),
  )
  const keys = new Set(profiles.flatMap(({ traits }) => [...traits.keys()]))
  // Whoever lacks a trait had it once.
  const traits = profiles.flatMap(({ externalId, traits }) =>
    [...keys].flatMap((key) => {
      const value = traits.get(key)
      return value === undefined
        ? [
            { externalId, key, value: '"gone"', version: 1 },
            { externalId, key, value: '', version: 2 },
          ]
        : [{ externalId, key, value: JSON.stringify(value), version: 1 }]
    }),
  )
  await clickhouse.command({
    query: `INSERT INTO profiles SELECT {project:UInt32}, sipHash64({project:UInt32}, external), external, id, now64(3), now64(3), now64(3)
      FROM (SELECT {ids:Array(UUID)} AS ids, {externals:Array(String)} AS externals) ARRAY JOIN ids AS id, externals AS external`,
    query_params: {
      project,
      ids: profiles.map(({ profileId }) => profileId),
      externals: profiles.map(({ externalId }) => externalId),
    },
  })
  await clickhouse.command({
    query: `INSERT INTO identity_claims SELECT {project:UInt32}, sipHash64({project:UInt32}, anonymous), anonymous, external,
        sipHash64({project:UInt32}, external), now64(3)
      FROM (SELECT {anonymous:Array(String)} AS ids, {externals:Array(String)} AS externals) ARRAY JOIN ids AS anonymous, externals AS external`,
    query_params: {
      project,
      anonymous: claims.map(({ anonymousId }) => anonymousId),
      externals: claims.map(({ externalId }) => externalId),
    },
  })
  await clickhouse.command({
    query: `INSERT INTO traits SELECT {project:UInt32}, sipHash64({project:UInt32}, external), key, value, version
      FROM (SELECT {externals:Array(String)} AS externals, {keys:Array(String)} AS keys, {values:Array(String)} AS vals, {versions:Array(UInt64)} AS versions)
      ARRAY JOIN externals AS external, keys AS key, vals AS value, versions AS version`,
    query_params: {
      project,
      externals: traits.map(({ externalId }) => externalId),
      keys: traits.map(({ key }) => key),
      values: traits.map(({ value }) => value),
      versions: traits.map(({ version }) => version),
    },
  })
}

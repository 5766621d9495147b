import { afterAll, beforeAll } from 'vitest'
import type { ProjectId } from '../../src/contract/ids.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import { generateWebWorld, type WebWorld } from './web-world.ts'
import type { WorldStore } from './world-store.ts'

/** A world in the engine. */
export interface LoadedWebWorld {
  readonly web: WebWorld
  readonly projectId: ProjectId
}

/** The worlds of a test file, there from its first test on, and how to query them. */
export interface LoadedWebWorlds {
  readonly worlds: readonly LoadedWebWorld[]
  readonly run: QueryRunner
}

/** Longest time of one statement. */
const STATEMENT_MS_MAX = 60_000

/** Loads a world for each seed into the shared engine before the tests of the file that calls it. */
export function loadWebWorlds(seeds: readonly number[]): LoadedWebWorlds {
  const worlds: LoadedWebWorld[] = []
  let store: WorldStore
  beforeAll(async () => {
    store = await openSharedWorldStore()
    for (const web of seeds.map(generateWebWorld)) worlds.push({ web, projectId: await store.load(web) })
    await store.settle()
  })
  afterAll(async () => {
    await store?.close()
  })
  return { worlds, run: async (query) => await store.run(query, AbortSignal.timeout(STATEMENT_MS_MAX)) }
}

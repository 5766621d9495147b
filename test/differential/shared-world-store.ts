import { askSharedServer } from '../harness/ask-shared-server.ts'
import type { WorldEngineAccess } from '../harness/world-engine.ts'
import { connectWorldStore, type WorldStore } from './world-store.ts'

/** Connects to the engine that the files of this run share, for tests that look at their own projects only. */
export async function openSharedWorldStore(): Promise<WorldStore> {
  const { endpoint, firstProject } = await askSharedServer<WorldEngineAccess>('/world-engine')
  return connectWorldStore({ endpoint, close: async () => undefined }, { firstProject, isFolded: false })
}

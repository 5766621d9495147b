import type { ClickHouseEndpoint } from '../../src/store/clickhouse/client.ts'
import { startOwnEngine } from './own-engine.ts'
import type { SharedServer } from './shared-servers.ts'

/** How test files reach the shared engine. */
export interface WorldEngineAccess {
  readonly endpoint: ClickHouseEndpoint
  /** Projects from this number on belong to the requesting file. */
  readonly firstProject: number
}

/** More than any file loads. */
const PROJECTS_PER_FILE = 10_000

/** Starts an engine with the schema of the service; each file has separate projects in it. */
export async function startWorldEngine(): Promise<SharedServer<WorldEngineAccess>> {
  const { endpoint, stop } = await startOwnEngine()
  let fileCount = 0
  return { access: () => ({ endpoint, firstProject: 1 + fileCount++ * PROJECTS_PER_FILE }), stop }
}

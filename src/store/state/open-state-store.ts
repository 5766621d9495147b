import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { EmbeddedStateStore } from './embedded-state-store.ts'
import type { RedisStateOptions, RedisStateStore } from './redis-state-store.ts'
import type { StateStore } from './state-store.ts'

/** The state store to open. */
export interface StateStoreOptions {
  /** The shared store of `SERVICE_REDIS_URL`; without it the embedded store is opened. */
  readonly redisUrl: string | undefined
  /** The data folder, for the embedded store. */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Logger
}

/** Opens the state store of this process or thread. Throws when the URL is invalid or the folder cannot be written. */
export async function openStateStore({
  redisUrl,
  dataDir,
  clock,
  log,
}: StateStoreOptions): Promise<StateStore> {
  if (redisUrl === undefined) return new EmbeddedStateStore({ dataDir, clock, log })
  return await openSharedStateStore({ url: redisUrl, clock, log })
}

/** Opens the store that several machines share, whose client, hundreds of modules, is loaded only here. */
export async function openSharedStateStore(options: RedisStateOptions): Promise<RedisStateStore> {
  const { openRedisStateStore } = await import('./redis-state-store.ts')
  return await openRedisStateStore(options)
}

import type { Prng } from '../../src/kernel/prng.ts'
import type { Role } from '../../src/settings/settings.ts'
import type { EngineEndpoint } from '../../src/store/embedded/engine.ts'
import type { TestService } from '../harness/service.ts'

/** One fault: it resolves when what it broke is mended, or is being mended without further help. */
export type Fault = (prng: Prng) => Promise<void>

/** The roles of a service that owns its stores. */
export const ROLES: readonly Role[] = ['store', 'query', 'edge']

/** A running service and what can be done to it. */
export interface Rig {
  readonly name: string
  readonly service: TestService
  readonly faults: Readonly<Record<string, Fault>>
  /** Processes that were killed, and with them started again. */
  readonly kills: { count: number }
  /** ClickHouse as it runs now; throws while it does not. */
  endpoint(): EngineEndpoint
  /** Ends every fault and every process and removes every file. */
  destroy(): Promise<void>
}

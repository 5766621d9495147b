import { readEngineEndpoint } from '../../src/store/embedded/engine.ts'
import { TestService } from '../harness/service.ts'
import { SkewedClock } from '../harness/skewed-clock.ts'
import {
  freezeStore,
  killEdgeWhileStoreFrozen,
  killRole,
  killSupervisor,
  restartEverything,
} from './process-faults.ts'
import { type Fault, type Rig, ROLES } from './rig.ts'

/** How far from the machine's clock that of the service's own processes is set; the engine keeps the machine's. */
const CLOCK_JUMP_MS_MAX = 12 * 60 * 60 * 1000

/** A service with the embedded ClickHouse, all roles under one supervisor. */
export async function startEmbeddedRig(): Promise<Rig> {
  const clock = new SkewedClock()
  const service = await TestService.start(clock.environment)
  const kills = { count: 0 }
  const counted = (processes: number, fault: Fault): Fault => {
    return async (prng) => {
      kills.count += processes
      await fault(prng)
    }
  }
  const faults = {
    killEdge: counted(1, async () => await killRole(service, 'edge')),
    killStore: counted(1, async () => await killRole(service, 'store')),
    killQuery: counted(1, async () => await killRole(service, 'query')),
    killEverything: counted(4, async (prng) => await restartEverything(service, ROLES, prng)),
    killSupervisor: counted(1, async () => await killSupervisor(service, ROLES)),
    freezeStore: async (prng) => await freezeStore(service, prng),
    killEdgeWhileStoreFrozen: counted(1, async (prng) => await killEdgeWhileStoreFrozen(service, prng)),
    jumpClock: async (prng) => clock.set(Math.round((prng.unit() * 2 - 1) * CLOCK_JUMP_MS_MAX)),
  } satisfies Record<string, Fault>
  return {
    name: 'embedded',
    service,
    faults,
    kills,
    endpoint: () => {
      const endpoint = readEngineEndpoint(service.dataDir)
      if (!endpoint) throw new Error('the store does not run')
      return endpoint
    },
    destroy: async () => {
      await service.destroy()
      clock.remove()
    },
  }
}

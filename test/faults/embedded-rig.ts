import { readEngineEndpoint } from '../../src/store/embedded/engine.ts'
import { TestService } from '../harness/service.ts'
import {
  freezeStore,
  killEdgeWhileStoreFrozen,
  killRole,
  killSupervisor,
  restartEverything,
} from './process-faults.ts'
import type { Fault, Rig } from './rig.ts'

const ROLES = ['store', 'query', 'edge'] as const

/** A service with the embedded ClickHouse, all roles under one supervisor. */
export async function startEmbeddedRig(): Promise<Rig> {
  const service = await TestService.start()
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
    destroy: async () => await service.destroy(),
  }
}

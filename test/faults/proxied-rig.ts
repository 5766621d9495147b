import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../../src/kernel/clock.ts'
import type { Prng } from '../../src/kernel/prng.ts'
import { DATABASE, type Engine, startEngine } from '../../src/store/embedded/engine.ts'
import { TestService } from '../harness/service.ts'
import { ClickHouseProxy, PROXY_FAULTS, type ProxyFault } from './clickhouse-proxy.ts'
import { killRole, restartEverything, startBesideHungEdge } from './process-faults.ts'
import type { Fault, Rig } from './rig.ts'

const REQUEST_BYTES_MAX = 60_000
const DELAY_MS_MAX = 400
const FAULT_MS_MAX = 1500

/** A service whose ClickHouse is a server elsewhere, behind a proxy that breaks connections and answers. */
export async function startProxiedRig(): Promise<Rig> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-faults-'))
  let engine: Engine = await startEngine({ dataFolder })
  const httpPort = Number(new URL(engine.url).port)
  const proxy = await ClickHouseProxy.start(httpPort)
  const { user, password } = engine.admin
  const service = await TestService.start({
    SERVICE_CLICKHOUSE_URL: `http://${user}:${password}@127.0.0.1:${proxy.port}/${DATABASE}`,
  })
  const kills = { count: 0 }
  const killEngine = async (): Promise<void> => {
    kills.count++
    process.kill(engine.pid, 'SIGKILL')
    await engine.exited
    engine = await startEngine({ dataFolder, httpPort })
  }
  const faults: Record<string, Fault> = {
    killServer: killEngine,
    killEdge: async () => {
      kills.count++
      await killRole(service, 'edge')
    },
    killQuery: async () => {
      kills.count++
      await killRole(service, 'query')
    },
    killEverything: async (prng) => {
      kills.count += 3
      await restartEverything(service, ['query', 'edge'], prng)
    },
    startBesideHungEdge: async () => {
      kills.count += 2
      await startBesideHungEdge(service)
    },
  }
  for (const fault of PROXY_FAULTS) faults[fault] = async (prng) => await breakProxy(proxy, fault, prng)
  return {
    name: 'proxied',
    service,
    faults,
    kills,
    endpoint: () => engine,
    destroy: async () => {
      await service.destroy()
      await proxy.close()
      await engine.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

async function breakProxy(proxy: ClickHouseProxy, fault: ProxyFault, prng: Prng): Promise<void> {
  const hitsBefore = proxy.hits
  proxy.break(fault, { bytes: 1 + prng.below(REQUEST_BYTES_MAX), delayMs: 1 + prng.below(DELAY_MS_MAX) })
  await sleep(100 + prng.below(FAULT_MS_MAX))
  // Between two INSERTs there is nothing to break.
  const giveUpMs = performance.now() + 10_000
  while (proxy.hits === hitsBefore && performance.now() < giveUpMs) await sleep(10)
  proxy.heal()
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseEndpoint } from '../../src/store/clickhouse/client.ts'
import { DATABASE, type Engine, startEngine } from '../../src/store/embedded/engine.ts'
import { startNativeRelay } from './native-relay.ts'
import { freePort, isAlive, waitFor } from './wait.ts'

const RESTART_MS_MAX = 60_000

/** Name of the cluster that the engines are. */
export const CLUSTER = 'two_shards'

/**
 * Two engines on loopback, each a shard of one cluster without a Keeper. They reach each other through relays, because the
 * embedded engine may end when a connection of its native port breaks; one that ends all the same is started again, as a
 * supervisor would.
 */
export interface TwoShards {
  readonly engines: readonly [Engine, Engine]
  /** As one process names them; the queried node is the first or the second. */
  endpoint(asked?: 0 | 1): ClickHouseEndpoint
  /** The settings of a service that uses the cluster. */
  settings(asked?: 0 | 1): Readonly<Record<string, string>>
  /** Stops the second engine, and answers how to start it again. */
  stopSecond(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Starts both in folders below `root`. */
export async function startTwoShards(
  root = mkdtempSync(join(tmpdir(), 'millrace-shards-')),
): Promise<TwoShards> {
  const tcpPorts = [await freePort(), await freePort()] as const
  const password = crypto.randomUUID()
  const place = { host: '127.0.0.1', user: 'millrace', password, default_database: DATABASE }
  const relays = [await startNativeRelay(tcpPorts[0]), await startNativeRelay(tcpPorts[1])] as const
  // The embedded engine reaches its own shard by TCP as well.
  const remote_servers = {
    [CLUSTER]: { shard: relays.map(({ port }) => ({ replica: { ...place, port } })) },
  }
  const start = async (index: 0 | 1, httpPort?: number): Promise<Engine> => {
    const dataFolder = join(root, String(index))
    mkdirSync(join(dataFolder, 'store'), { recursive: true })
    writeFileSync(join(dataFolder, 'store', 'secret'), JSON.stringify({ admin: password, reader: password }))
    return await startEngine({
      dataFolder,
      tcpPort: tcpPorts[index],
      ...(httpPort === undefined ? {} : { httpPort }),
      config: { remote_servers, macros: { shard: String(index + 1), replica: '1' } },
    })
  }
  const engines = await startBoth(start)
  const stopped = new Set<0 | 1>()
  const revivals: Promise<void>[] = []
  const startAgain = async (index: 0 | 1): Promise<void> => {
    stopped.delete(index)
    const httpPort = Number(new URL(engines[index].url).port)
    // It may end once more while its clients come back.
    engines[index] = await waitFor(
      `shard ${index + 1} to start again`,
      async () => (stopped.has(index) ? engines[index] : await start(index, httpPort)),
      RESTART_MS_MAX,
    )
    watch(index)
  }
  const watch = (index: 0 | 1): void => {
    const revive = async (): Promise<void> => (stopped.has(index) ? undefined : await startAgain(index))
    revivals.push(engines[index].exited.then(revive))
  }
  watch(0)
  watch(1)
  const nodeUrls = engines.map(({ url }) => url)
  return {
    engines,
    endpoint: (asked = 0) => ({
      url: engines[asked].url,
      database: DATABASE,
      username: engines[asked].admin.user,
      password,
      cluster: { name: CLUSTER, nodeUrls },
    }),
    settings: (asked = 0) => ({
      SERVICE_CLICKHOUSE_URL: `http://millrace:${password}@${new URL(engines[asked].url).host}/${DATABASE}`,
      SERVICE_CLICKHOUSE_CLUSTER: CLUSTER,
      SERVICE_CLICKHOUSE_NODES: nodeUrls.join(','),
    }),
    stopSecond: async () => {
      stopped.add(1)
      await engines[1].stop()
      return async () => await startAgain(1)
    },
    close: async () => {
      stopped.add(0).add(1)
      // Nothing of them is kept, and a clean stop waits seconds for the connections of the other one.
      for (const { pid } of engines.filter(({ pid }) => isAlive(pid))) process.kill(pid, 'SIGKILL')
      await Promise.all([...revivals, ...relays.map(async (relay) => await relay.close())])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function startBoth(start: (index: 0 | 1) => Promise<Engine>): Promise<[Engine, Engine]> {
  const first = await start(0)
  try {
    return [first, await start(1)]
  } catch (error) {
    await first.stop()
    throw error
  }
}

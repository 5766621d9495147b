import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseEndpoint } from '../../src/store/clickhouse/client.ts'
import { DATABASE, type Engine, startEngine } from '../../src/store/embedded/engine.ts'
import type { XmlElements } from '../../src/store/embedded/xml.ts'
import { freePort, isAlive } from './wait.ts'

/** Name of the cluster that the engines are. */
export const REPLICA_CLUSTER = 'replicas'

/** Where an engine stands in the cluster. */
export interface ReplicaPlace {
  readonly shard: number
  readonly replica: string
}

/** Engines on loopback that are the replicas of a cluster's shards. */
export interface ReplicaEngines {
  /** As one process names the cluster, which asks that engine. */
  endpoint(asked: number): ClickHouseEndpoint
  /** Stops one cleanly; answers how to start it again. */
  stop(index: number): Promise<() => Promise<void>>
  /** Starts what ended without being stopped: the embedded engine may, when a connection of its native port breaks. */
  revive(): Promise<void>
  close(): Promise<void>
}

/** Starts an engine for each place, with further elements of its configuration. */
export async function startReplicaEngines(
  places: readonly ReplicaPlace[],
  extra: (place: ReplicaPlace) => XmlElements = () => ({}),
): Promise<ReplicaEngines> {
  const root = mkdtempSync(join(tmpdir(), 'millrace-replicas-'))
  const password = crypto.randomUUID()
  const ports = await Promise.all(places.map(async () => await freePort()))
  const remote_servers = describeCluster(places, { ports, password })
  const start = async (index: number, httpPort?: number): Promise<Engine> => {
    const place = places[index]
    if (!place) throw new Error(`there is no place ${index}`)
    const { shard, replica } = place
    const dataFolder = join(root, replica)
    mkdirSync(join(dataFolder, 'store'), { recursive: true })
    writeFileSync(join(dataFolder, 'store', 'secret'), JSON.stringify({ admin: password, reader: password }))
    return await startEngine({
      dataFolder,
      ...(ports[index] === undefined ? {} : { tcpPort: ports[index] }),
      ...(httpPort === undefined ? {} : { httpPort }),
      config: { ...extra(place), remote_servers, macros: { shard, replica } },
    })
  }
  const engines: Engine[] = []
  const close = async (): Promise<void> => {
    for (const { pid } of engines.filter(({ pid }) => isAlive(pid))) process.kill(pid, 'SIGKILL')
    await Promise.all(engines.map(async (engine) => await engine.exited))
    rmSync(root, { recursive: true, force: true })
  }
  try {
    for (const index of places.keys()) engines.push(await start(index))
  } catch (error) {
    await close()
    throw error
  }
  const engineAt = (index: number): Engine => {
    const engine = engines[index]
    if (!engine) throw new Error(`there is no engine ${index}`)
    return engine
  }
  const stopped = new Set<number>()
  const startAgain = async (index: number): Promise<void> => {
    engines[index] = await start(index, Number(new URL(engineAt(index).url).port))
  }
  return {
    close,
    endpoint: (asked) => ({
      url: engineAt(asked).url,
      database: DATABASE,
      username: engineAt(asked).admin.user,
      password,
      cluster: { name: REPLICA_CLUSTER, nodeUrls: engines.map(({ url }) => url) },
    }),
    stop: async (index) => {
      stopped.add(index)
      await engineAt(index).stop()
      return async () => {
        stopped.delete(index)
        await startAgain(index)
      }
    },
    revive: async () => {
      for (const [index, { pid }] of engines.entries()) {
        if (!stopped.has(index) && !isAlive(pid)) await startAgain(index)
      }
    },
  }
}

/** The cluster as `remote_servers` has it: what is written to a shard goes to each of its replicas. */
function describeCluster(
  places: readonly ReplicaPlace[],
  { ports, password }: { readonly ports: readonly number[]; readonly password: string },
): XmlElements {
  const place = { host: '127.0.0.1', user: 'millrace', password, default_database: DATABASE }
  const shards = Map.groupBy(places.keys(), (index) => places[index]?.shard)
  const shard = [...shards.values()].map((indices) => ({
    replica: indices.map((index) => ({ ...place, port: ports[index] ?? 0 })),
  }))
  return { [REPLICA_CLUSTER]: { shard } }
}

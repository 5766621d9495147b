import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../src/settings/settings.ts'
import type { ClickHouseEndpoint } from '../../src/store/clickhouse/client.ts'
import { writeEngineEndpoint } from '../../src/store/embedded/endpoint.ts'
import { type Ended, Invocation, type Machines, type Until, type Written } from './invocation.ts'
import { startLocalPostgres } from './local-postgres.ts'
import { startLocalRedis } from './local-redis.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

type Environment = Readonly<Record<string, string>>

/** The stores that the machines share. */
interface Stores {
  readonly shards: TwoShards
  /** The addresses of all stores but ClickHouse: each machine queries a separate node. */
  readonly settings: Environment
  /** Stops them, and removes the root. */
  close(): Promise<void>
}

interface Parts {
  readonly root: string
  readonly stores: Stores
  readonly databaseUrl: string
  readonly queries: readonly [Invocation, Invocation]
  readonly edges: readonly [Invocation, Invocation]
  readonly queryFront: RoundRobin
  readonly front: RoundRobin
}

/**
 * Two edges and two query processes, each an invocation with a separate folder, over one Redis, one PostgreSQL and a
 * ClickHouse of two shards. Connections of clients go to the edges in turn, those of edges to the query processes.
 */
export async function createScaledOut(extra: Environment): Promise<Machines> {
  const root = mkdtempSync(join(tmpdir(), 'millrace-scaled-out-'))
  const stores = await startStores(root)
  const [queryPorts, edgePorts]: [number[], number[]] = [[], []]
  const queryFront = await startRoundRobin(() => queryPorts)
  const front = await startRoundRobin(() => edgePorts)
  const shared = { ...stores.settings, SERVICE_PUBLIC_URL: front.url, ...extra }
  const create = async (name: string, node: 0 | 1, own: Environment): Promise<Invocation> => {
    const dataDir = join(root, name)
    mkdirSync(dataDir)
    return await Invocation.create({ ...shared, ...stores.shards.settings(node), ...own }, dataDir)
  }
  const query = { SERVICE_ROLES: 'query' }
  const queries = [await create('query-1', 0, query), await create('query-2', 1, query)] as const
  queryPorts.push(...queries.map(portOf))
  const edge = { SERVICE_ROLES: 'edge', SERVICE_QUERY_URL: queryFront.url }
  const edges = [await create('edge-1', 1, edge), await create('edge-2', 0, edge)] as const
  edgePorts.push(...edges.map(portOf))
  const { SERVICE_DATABASE_URL: databaseUrl = '' } = edges[0].environment
  return new ScaledOut({ root, stores, databaseUrl, queries, edges, queryFront, front })
}

/** Starts what is shared. The root shows what tests read of a data folder: the engine's address, and what signs tokens. */
async function startStores(root: string): Promise<Stores> {
  const stops: (() => Promise<void>)[] = [async () => rmSync(root, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const redis = await startLocalRedis()
    stops.push(redis.stop)
    const postgres = await startLocalPostgres()
    stops.push(postgres.destroy)
    const shards = await startTwoShards(join(root, 'shards'))
    stops.push(shards.close)
    writeEngineEndpoint(root, shards.engines[0])
    const jwtSecret = randomBytes(16).toString('hex')
    writeFileSync(join(root, 'jwt-secret'), Buffer.from(jwtSecret).toString('base64'))
    const settings = {
      SERVICE_DATABASE_URL: await postgres.createDatabase(),
      SERVICE_REDIS_URL: redis.url,
      SERVICE_JWT_SECRET: jwtSecret,
      SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
    }
    return { shards, settings, close }
  } catch (error) {
    await close()
    throw error
  }
}

class ScaledOut implements Machines {
  readonly #parts: Parts
  #output: Written = { stdout: '', stderr: '' }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get dataDir(): string {
    return this.#parts.root
  }

  get url(): string {
    return this.#parts.front.url
  }

  get adminUrl(): string {
    return this.#parts.edges[0].adminUrl
  }

  get environment(): Environment {
    return this.#parts.edges[0].environment
  }

  get databaseUrl(): string {
    return this.#parts.databaseUrl
  }

  clickhouse(): ClickHouseEndpoint {
    return this.#parts.stores.shards.endpoint()
  }

  get output(): Readonly<Written> {
    return this.#output
  }

  /** All at once, as a cluster is started: they find out who prepares the stores. */
  async launch(until: Until): Promise<void> {
    const output = { stdout: '', stderr: '' }
    this.#output = output
    const { queries, edges } = this.#parts
    await Promise.all([...queries, ...edges].map(async (machine) => await machine.launch(until, output)))
  }

  pid(role: Role | 'supervisor'): number {
    const [machine] = role === 'query' ? this.#parts.queries : this.#parts.edges
    return machine.pid(role)
  }

  async shutDown(): Promise<Ended> {
    const ended: Ended[] = []
    const { edges, queries } = this.#parts
    for (const machines of [edges, queries]) {
      ended.push(...(await Promise.all(machines.map(async (machine) => await machine.shutDown()))))
    }
    const failed = ended.find(({ code }) => code !== 0)
    return { code: failed ? failed.code : 0, ...this.#output }
  }

  async destroy(): Promise<void> {
    const { stores, front, queryFront, edges, queries } = this.#parts
    for (const machines of [edges, queries]) {
      await Promise.all(machines.map(async (machine) => await machine.destroy()))
    }
    await Promise.all([front.close(), queryFront.close()])
    await stores.close()
  }
}

function portOf({ url }: Invocation): number {
  return Number(new URL(url).port)
}

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openClickHouse } from '../src/store/clickhouse/client.ts'
import { startEngine } from '../src/store/embedded/engine.ts'
import type { XmlElements } from '../src/store/embedded/xml.ts'
import { hasSystemTool } from './harness/system-tool.ts'

interface Service {
  readonly hostname?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: Readonly<Record<string, { readonly file: string }>>
}

interface Replica {
  readonly host: string
  readonly port: number
  readonly default_database: string
}

interface ClusterConfig {
  readonly remote_servers: Readonly<
    Record<string, { readonly shard: readonly { readonly replica: readonly Replica[] }[] }>
  >
  readonly zookeeper: { readonly node: readonly { readonly host: string; readonly port: number }[] }
}

interface KeeperConfig {
  readonly keeper_server: {
    readonly tcp_port: number
    readonly raft_configuration: {
      readonly server: readonly { readonly id: number; readonly hostname: string }[]
    }
  }
}

const DEPLOY = resolve(import.meta.dirname, '../deploy')
const HAPROXY = join(DEPLOY, 'haproxy/haproxy.cfg')
const run = promisify(execFile)

const compose: Compose = parse(read('compose.cluster.yaml'), { merge: true })
const cluster: ClusterConfig = parse(read('clickhouse/cluster.yaml'))
const keeper: KeeperConfig = parse(read('clickhouse/keeper.yaml'))
const haproxy = read('haproxy/haproxy.cfg')

function read(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8')
}

/** The services that a config file is mounted into. */
function servicesWith(source: string): readonly (readonly [name: string, service: Service])[] {
  return Object.entries(compose.services).filter(([, { configs = [] }]) =>
    configs.some((config) => config.source === source),
  )
}

/** The names of the settings of our processes, each with its one value. */
function ownSetting(name: string): readonly (string | undefined)[] {
  const values = Object.values(compose.services).flatMap(({ environment = {} }) =>
    'SERVICE_ROLES' in environment ? [environment[name]] : [],
  )
  return [...new Set(values)]
}

/** `<host>:<port>` of the servers of a section of the proxy. */
function serversOf(backend: string): readonly string[] {
  const [section = ''] = new RegExp(`(?<=^backend ${backend}\n)(?:[ ]+.*\n?)+`, 'm').exec(haproxy) ?? []
  return [...section.matchAll(/^ +server \S+ (\S+)/gm)].map(([, address = '']) => address)
}

/** The port of the section of the proxy that leads to a backend. */
function portBefore(backend: string): string | undefined {
  return new RegExp(`bind :(\\d+)\n +default_backend ${backend}$`, 'm').exec(haproxy)?.[1]
}

/** The same configuration with what `@from_env` names put in. */
function withEnvironment(config: unknown, environment: Readonly<Record<string, string>>): XmlElements {
  return JSON.parse(JSON.stringify(config), (_, value) => {
    const name = value?.['@from_env']
    return name === undefined ? value : (environment[name] ?? '')
  })
}

test('every configuration file exists and is mounted', () => {
  const mounted = Object.values(compose.services).flatMap(({ configs = [] }) => configs)
  expect([...new Set(mounted.map(({ source }) => source))].sort()).toEqual(
    Object.keys(compose.configs).sort(),
  )
  const texts = Object.values(compose.configs).map(({ file }) => read(file))
  expect(texts.filter((text) => text.trim() === '')).toEqual([])
})

test('the processes name the cluster, the database and the existing fronts', () => {
  const [name = ''] = ownSetting('SERVICE_CLICKHOUSE_CLUSTER')
  expect(ownSetting('SERVICE_CLICKHOUSE_CLUSTER')).toEqual(Object.keys(cluster.remote_servers))
  const replicas = (cluster.remote_servers[name]?.shard ?? []).flatMap(({ replica }) => replica)
  const databases = servicesWith('clickhouse').map(([, { environment }]) => environment?.CLICKHOUSE_DB)
  expect(databases).toEqual(replicas.map((replica) => replica.default_database))
  expect(read('../docs/deploying.md')).toContain(`@front:${portBefore('clickhouse')}/${databases[0]}"`)
  expect(ownSetting('SERVICE_QUERY_URL')).toContain(`http://front:${portBefore('queries')}`)
})

test('every node of the cluster is a service at the shard and replica of its macros', () => {
  const [layout] = Object.values(cluster.remote_servers)
  const places = (layout?.shard ?? []).flatMap(({ replica }, index) =>
    replica.map(({ host }) => ({ name: host, hostname: host, shard: String(index + 1), replica: host })),
  )
  expect(places).toHaveLength(4)
  const services = servicesWith('clickhouse').map(([name, { hostname, environment = {} }]) => ({
    name,
    hostname,
    shard: environment.CLICKHOUSE_SHARD,
    replica: environment.CLICKHOUSE_REPLICA,
  }))
  expect(services).toEqual(places)
})

test('every Keeper lists the others, and every node lists the Keepers', () => {
  const { tcp_port: port, raft_configuration: raft } = keeper.keeper_server
  expect(raft.server).toHaveLength(3)
  expect(servicesWith('keeper').map(([name, { environment = {} }]) => [name, environment.KEEPER_ID])).toEqual(
    raft.server.map(({ id, hostname }) => [hostname, String(id)]),
  )
  expect(cluster.zookeeper.node).toEqual(raft.server.map(({ hostname: host }) => ({ host, port })))
})

test.each(['clickhouse', 'keeper'])(
  'what the configuration of %s takes from the environment is in it',
  (source) => {
    const names = [...read(compose.configs[source]?.file ?? '').matchAll(/"@from_env": (\w+)/g)].map(
      ([, name]) => name,
    )
    expect(names.length).toBeGreaterThan(0)
    const missing = servicesWith(source).flatMap(([service, { environment = {} }]) =>
      names.filter((name = '') => !environment[name]).map((name) => `${service} ${name}`),
    )
    expect(missing).toEqual([])
  },
)

test('the proxy lists every process of each group', () => {
  const withRole = (role: string, port: number): readonly string[] =>
    Object.entries(compose.services).flatMap(([name, { environment = {} }]) =>
      environment.SERVICE_ROLES === role ? [`${name}:${port}`] : [],
    )
  expect(serversOf('edges')).toEqual(withRole('edge', 3000))
  expect(serversOf('queries')).toEqual(withRole('query', 3000))
  expect(serversOf('clickhouse')).toEqual(servicesWith('clickhouse').map(([name]) => `${name}:8123`))
})

test.skipIf(!hasSystemTool('haproxy', 'haproxy'))('the proxy finds nothing wrong with its file', async () => {
  const { stdout, stderr } = await run('haproxy', ['-c', '-f', HAPROXY], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  const others = stderr
    .split('\n')
    .filter((line) => /WARNING|ALERT/.test(line) && !/could not resolve/.test(line))
  expect(others).toEqual([])
  expect(stdout + stderr).toContain('Configuration file is valid')
})

test('ClickHouse reads the cluster and the macros', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-cluster-files-'))
  const [, service] = servicesWith('clickhouse').at(-1) ?? []
  const config = withEnvironment(cluster, service?.environment ?? {})
  const engine = await startEngine({ dataFolder, config })
  const clickhouse = openClickHouse(
    { url: engine.url, username: engine.admin.user, password: engine.admin.password },
    { application: 'millrace-test', connectionsMax: 1, requestTimeoutMs: 30_000 },
  )
  const ask = async (query: string): Promise<unknown> =>
    await (await clickhouse.query({ query, format: 'JSONEachRow' })).json()
  try {
    expect(
      await ask(
        'SELECT shard_num AS shard, groupArray(host_name) AS hosts, any(default_database) AS database, any(internal_replication) AS internal FROM system.clusters GROUP BY shard ORDER BY shard',
      ),
    ).toEqual([
      { shard: 1, hosts: ['clickhouse-1a', 'clickhouse-1b'], database: 'millrace', internal: 1 },
      { shard: 2, hosts: ['clickhouse-2a', 'clickhouse-2b'], database: 'millrace', internal: 1 },
    ])
    expect(await ask('SELECT macro, substitution FROM system.macros ORDER BY macro')).toEqual([
      { macro: 'replica', substitution: 'clickhouse-2b' },
      { macro: 'shard', substitution: '2' },
    ])
  } finally {
    await clickhouse.close()
    await engine.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KyselyPlugin } from 'kysely'
import { vi } from 'vitest'
import { StoreLink } from '../../src/bin/environment/store-link.ts'
import { openAccess } from '../../src/bin/query/access.ts'
import { openBackgroundJobs } from '../../src/bin/query/background-jobs.ts'
import { registerControl } from '../../src/bin/query/control.ts'
import { openQueryPorts } from '../../src/bin/query/query-ports.ts'
import type { AccessTokens } from '../../src/control/access/access-token.ts'
import { PasswordHasher } from '../../src/control/auth/password-hasher.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { releaseVersion } from '../../src/kernel/installation.ts'
import { createLogger } from '../../src/kernel/log.ts'
import { createRpcListener } from '../../src/query/rpc-listener.ts'
import { registerServices } from '../../src/query/services.ts'
import type { RunQuery } from '../../src/query/sql/run.ts'
import { render } from '../../src/query/sql/sql.ts'
import { Readiness } from '../../src/rpc/readiness.ts'
import { publicUrlOf } from '../../src/settings/derived-settings.ts'
import { parseSettings } from '../../src/settings/settings.ts'
import { type Catalog, openCatalog } from '../../src/store/catalog/catalog.ts'
import { ProjectReader } from '../../src/store/catalog/project-reader.ts'
import { openTestProviders } from './provider-ports.ts'
import type { TestService } from './service.ts'

/** The work of calls: kinds of catalog statements, ClickHouse queries, hashes. */
export interface Costs {
  /** Statements of authentication and authorization; much of it is cached for some seconds. */
  readonly gate: readonly string[]
  readonly call: readonly string[]
}

/** A query process inside the test, on the stores of a running service: it counts the work of its calls. */
export interface CountedProcess {
  readonly url: string
  /** Nothing that is done through it is counted. */
  readonly catalog: Catalog
  readonly tokens: AccessTokens
  /** The work since the last call of this method. */
  takeCosts(): Costs
  stop(): Promise<void>
}

/** Starts a query process inside the test. It does no background jobs: the service does. One a test file. */
export async function startCountedProcess({ environment }: TestService): Promise<CountedProcess> {
  const parsed = parseSettings(environment)
  if (!parsed.ok) throw new Error(parsed.error)
  const settings = parsed.value
  const log = createLogger({ role: 'test', level: 'silent' })
  const gate: string[] = []
  const costs: string[] = []
  countHashes(costs)
  const plain = openCatalog(settings)
  const catalog = plain.withPlugin(countStatements(costs))
  const link = (user: 'reader' | 'admin'): StoreLink =>
    new StoreLink(settings, user, { application: 'test', connectionsMax: 4, requestTimeoutMs: 35_000 })
  const [reader, writer] = [link('reader'), link('admin')]
  const wakeJobs = (): void => undefined
  const { deletions } = openBackgroundJobs(settings, {
    catalog,
    store: writer,
    reader,
    query: () => ports,
    log,
  })
  const ports = openQueryPorts(settings, { reader, writer, catalog, deletions, wakeJobs, log })
  const run: RunQuery = async (query, signal) => {
    costs.push(render(query.statement).text)
    return await ports.run(query, signal)
  }
  const guarded = plain.withPlugin(countStatements(gate))
  const { authenticate, interceptors, recorders, tokens } = openAccess(settings, guarded, log)
  // Its statements would not be counted.
  const readDevicesOf = async () => await Promise.resolve({ devices: [], deliveries: [] })
  const oidc = openTestProviders([], systemClock)
  // It remembers projects for some seconds.
  const query = { ...ports, run, projects: new ProjectReader(plain) }
  const server = createServer(
    createRpcListener({
      ...settings,
      longestCallSeconds: settings.queryTimeoutSeconds,
      authenticate,
      interceptors,
      recorders,
      services: [
        (router) => registerServices(router, { ...query, catalog, readDevicesOf }),
        (router) =>
          registerControl(router, { settings, catalog, tokens, oidc, query, store: writer, wakeJobs, log }),
      ],
      log,
      readiness: new Readiness({}),
      publicUrl: publicUrlOf(settings),
      isEmbeddable: async () => false,
      isBehindEdge: false,
      version: releaseVersion(),
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    catalog: plain,
    tokens,
    // Concurrent statements run in random order.
    takeCosts: () => ({ gate: gate.splice(0), call: costs.splice(0).sort() }),
    stop: async () => {
      vi.restoreAllMocks()
      server.close()
      server.closeAllConnections()
      await Promise.all([reader.close(), writer.close()])
      await plain.destroy()
    },
  }
}

function countStatements(costs: string[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      costs.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

function countHashes(costs: string[]): void {
  const { hash, verify } = PasswordHasher.prototype
  vi.spyOn(PasswordHasher.prototype, 'hash').mockImplementation(async function (
    this: PasswordHasher,
    ...words
  ) {
    costs.push('hash')
    return await hash.apply(this, words)
  })
  vi.spyOn(PasswordHasher.prototype, 'verify').mockImplementation(async function (
    this: PasswordHasher,
    ...words
  ) {
    costs.push('verify')
    return await verify.apply(this, words)
  })
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startCatalogServer } from './catalog-server.ts'
import { buildService } from './service-build.ts'
import { startWorldEngine } from './world-engine.ts'

/*
 * Servers that the test files of one run share. Vitest loads this file in its main process. A server starts when the first
 * test file asks for it, so that a run of unit tests starts none.
 */

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedServersUrl: string
  }
}

/** A server that test files share. */
export interface SharedServer<Access extends object = object> {
  /** How a test file reaches it; sent as JSON. */
  access(): Access
  stop(): Promise<void>
}

const STARTS = {
  '/catalog-server': startCatalogServer,
  '/service-build': buildService,
  '/world-engine': startWorldEngine,
} as const satisfies Record<string, () => Promise<SharedServer>>

/** The servers of a run, and how many of its projects use them. */
interface Servers {
  readonly started: Map<string, Promise<SharedServer>>
  users: number
}

/**
 * By the root folder of a run. Each project of a run loads this file for itself and they share the servers; the runs of several
 * copies of the work tree do not.
 */
const everywhere = globalThis as { millraceTestServers?: Map<string, Servers> }
everywhere.millraceTestServers ??= new Map()
const runs = everywhere.millraceTestServers

/** Opens the address at which test files ask for servers. Vitest calls this before a run, and its result after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { root } = project.config
  const servers: Servers = runs.get(root) ?? { started: new Map(), users: 0 }
  runs.set(root, servers)
  servers.users++
  const { started } = servers
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    // A test that probes ports may reach this one.
    if (!isStart(path)) return response.writeHead(404).end()
    const shared = started.get(path) ?? STARTS[path]()
    started.set(path, shared)
    shared.then(
      ({ access }) => response.end(JSON.stringify(access())),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  project.provide('sharedServersUrl', `http://127.0.0.1:${port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    servers.users--
    if (servers.users > 0) return
    runs.delete(root)
    for (const shared of started.values()) await (await shared).stop()
  }
}

function isStart(path: string): path is keyof typeof STARTS {
  return Object.hasOwn(STARTS, path)
}

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from '../kernel/log.ts'
import { collectRuntimeMetrics } from '../kernel/metrics.ts'
import type { Settings } from '../kernel/settings.ts'
import { createQueryServer } from '../query/server.ts'
import { createRunQuery } from '../query/sql/run.ts'
import { openCatalog } from '../store/catalog/catalog.ts'
import { KeyResolver } from '../store/catalog/key-resolver.ts'
import { openClickHouse } from '../store/clickhouse/client.ts'
import { openRunFolder, writeEndpoint } from '../store/run-folder.ts'
import { findClickHouse } from './clickhouse-endpoint.ts'
import { FatalError } from './fatal-error.ts'
import type { RunningRole } from './role.ts'

const CONNECTIONS_MAX = 32

/** Rows that one answer may have; every question has a lower limit of its own. */
const RESULT_ROWS_MAX = 1_000_000

/** Time that a query's answer may take on top of the query itself. */
const TRANSFER_MARGIN_MS = 5000

/** Runs the query process: every RPC but ingestion. */
export async function startQuery(settings: Settings, log: Logger): Promise<RunningRole> {
  const catalog = openCatalog(settings.dataDir)
  const clickhouse = openClickHouse(findClickHouse(settings, 'reader'), {
    application: 'millrace-query',
    connectionsMax: CONNECTIONS_MAX,
    requestTimeoutMs: settings.queryTimeoutSeconds * 1000 + TRANSFER_MARGIN_MS,
  })
  const { queryTimeoutSeconds, errorDomain, bodyBytesMax } = settings
  const run = createRunQuery(clickhouse, {
    timeoutSeconds: queryTimeoutSeconds,
    memoryBytesMax: settings.queryMemoryBytesMax,
    resultRowsMax: RESULT_ROWS_MAX,
  })
  const keys = new KeyResolver(catalog)
  const server = createQueryServer({ keys, run, log, errorDomain, bodyBytesMax, queryTimeoutSeconds })
  collectRuntimeMetrics()
  await listen(server, settings)
  return {
    stop: async () => {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
      await clickhouse.close()
      await catalog.destroy()
    },
  }
}

/** Behind an edge of this machine on a port of its own choice, else on the public address. */
async function listen(server: Server, settings: Settings): Promise<void> {
  const isBehindEdge = settings.roles.includes('edge')
  const host = isBehindEdge ? '127.0.0.1' : settings.serverHost
  server.listen(isBehindEdge ? 0 : settings.serverPort, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new FatalError(
      `cannot listen on ${host}:${settings.serverPort}: the address is taken or not this machine's; set SERVICE_SERVER_PORT or SERVICE_SERVER_HOST`,
      { cause: error },
    )
  }
  const { port } = server.address() as AddressInfo
  writeEndpoint(openRunFolder(settings.dataDir), 'query', { url: `http://127.0.0.1:${port}` })
}

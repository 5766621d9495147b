import type { Settings } from '../../settings/settings.ts'
import type { ClickHouseEndpoint } from '../../store/clickhouse/client.ts'
import type { LocalAccess } from '../../store/clickhouse/migrate.ts'
import { DATABASE, LOCAL_ACCESS, readEngineEndpoint } from '../../store/embedded/engine.ts'
import { runFolderPath } from '../../store/run-folder.ts'
import { assertFolderAccess } from './data-folder.ts'
import { FatalError } from './fatal-error.ts'

/** The user of a connection to the embedded engine; an external server has the single user of its URL. */
export type ClickHouseUser = 'admin' | 'reader'

/** The configured server, or the embedded engine of the data folder. Throws when there is neither. */
export function findClickHouse(settings: Settings, user: ClickHouseUser): ClickHouseEndpoint {
  const { clickhouseUrl, clickhouseCluster: name, clickhouseNodes } = settings
  if (clickhouseUrl !== undefined && name !== undefined) {
    const nodeUrls = clickhouseNodes.map((node) => toNodeUrl(clickhouseUrl, node))
    return { url: clickhouseUrl, cluster: { name, nodeUrls } }
  }
  if (clickhouseUrl !== undefined) return { url: clickhouseUrl }
  assertFolderAccess(runFolderPath(settings.dataDir), 'read')
  const engine = readEngineEndpoint(settings.dataDir)
  if (!engine) {
    throw new FatalError(
      `no ClickHouse: set SERVICE_CLICKHOUSE_URL, or run the store role on the data folder ${settings.dataDir}`,
    )
  }
  return { url: engine.url, database: DATABASE, username: engine[user].user, password: engine[user].password }
}

/** User, password and database are the same on every node. */
function toNodeUrl(clickhouseUrl: string, node: string): string {
  const url = new URL(node)
  const { username, password, pathname } = new URL(clickhouseUrl)
  return Object.assign(url, { username, password, pathname }).href
}

/** The credentials with which the server reads its own tables for a dictionary. */
export function findLocalAccess(settings: Settings): LocalAccess {
  if (settings.clickhouseUrl === undefined) return LOCAL_ACCESS
  const { username, password, pathname } = new URL(settings.clickhouseUrl)
  return {
    database: decodeURIComponent(pathname.slice(1)) || 'default',
    user: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  }
}

import type { Settings } from '../settings/settings.ts'
import { openRunFolder, readEndpoint } from '../store/run-folder.ts'

/** The current URL of the query process; `undefined` until it has started. Its port changes with a restart. */
export type QueryLocator = () => string | undefined

/** Reads SERVICE_QUERY_URL, or the endpoint file of the query process of this data folder. */
export function createQueryLocator(settings: Settings): QueryLocator {
  if (settings.queryUrl !== undefined) return () => settings.queryUrl
  const run = openRunFolder(settings.dataDir)
  return () => readEndpoint(run, 'query')?.url
}

/** Throws when the query process does not respond or is unhealthy. */
export async function checkQuery(url: string | undefined): Promise<void> {
  if (url === undefined) throw new Error('the query process has not started')
  const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2000) })
  if (!response.ok) throw new Error(`the query process returned ${response.status}`)
}

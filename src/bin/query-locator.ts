import type { Settings } from '../settings/settings.ts'
import { openRunFolder, readEndpoint } from '../store/run-folder.ts'

/** Where the query process listens now; `undefined` while it has not started. Its port changes when it starts again. */
export type QueryLocator = () => string | undefined

/** The setting, or what the query process of this data folder wrote down. */
export function createQueryLocator(settings: Settings): QueryLocator {
  if (settings.queryUrl !== undefined) return () => settings.queryUrl
  const run = openRunFolder(settings.dataDir)
  return () => readEndpoint(run, 'query')?.url
}

/** Throws when the query process does not answer. */
export async function checkQuery(url: string | undefined): Promise<void> {
  if (url === undefined) throw new Error('the query process has not started')
  const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2000) })
  if (!response.ok) throw new Error(`the query process answers ${response.status}`)
}

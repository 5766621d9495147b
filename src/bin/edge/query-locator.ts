import { monotonicMs } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import { openRunFolder, readEndpoint } from '../../store/run-folder.ts'

/** The current URL of the query process; `undefined` until it has started. Its port changes with a restart. */
export type QueryLocator = () => string | undefined

/** Timeout of the check whether the query process responds. */
const QUERY_CHECK_TIMEOUT_MS = 2000

/** A query process that answers nothing for this long may hang. */
const QUERY_SILENT_MS = 5000

/** Milliseconds between two reads of the endpoint file, which cost more than the rest of a forwarded call. */
const LOCATED_MS = 50

/** Reads SERVICE_QUERY_URL, or the endpoint file of the query process of this data folder. */
export function createQueryLocator({ queryUrl, dataDir }: Settings): QueryLocator {
  if (queryUrl !== undefined) return () => queryUrl
  const run = openRunFolder(dataDir)
  let url: string | undefined
  let readAtMs = -Infinity
  return () => {
    const nowMs = monotonicMs()
    if (nowMs - readAtMs >= LOCATED_MS) [url, readAtMs] = [readEndpoint(run, 'query')?.url, nowMs]
    return url
  }
}

/** Throws when the query process does not respond in time or is unhealthy. */
export async function checkQuery(url: string | undefined, timeoutMs = QUERY_CHECK_TIMEOUT_MS): Promise<void> {
  if (url === undefined) throw new Error('the query process has not started')
  const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(timeoutMs) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the query process returned ${response.status}`)
}

/** Whether the query process answers nothing in time. One that is not there is noticed by its callers. */
export async function isQuerySilent(url: string | undefined): Promise<boolean> {
  return await checkQuery(url, QUERY_SILENT_MS).then(
    () => false,
    (error: unknown) => error instanceof Error && error.name === 'TimeoutError',
  )
}

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { NO_SESSION } from '../../src/contract/ids.ts'
import { createProject } from '../harness/new-project.ts'
import { PRIVATE_KEY, runMillrace, type TestService } from '../harness/service.ts'

/** What is compared: everything but the project and the time of arrival. */
const ALL_COLUMNS = '* EXCEPT (project, ingested)'

/** Without the properties, which for a browser depend on who has read its user agent. */
export const IDENTITY_COLUMNS = 'event_id, kind, time, distinct_id, session_id'

const eventsOf = (columns: string): string =>
  `SELECT ${columns} FROM events FINAL WHERE project = {project} ORDER BY event_id, kind, time`
/** Claims of ids by users. */
export const CLAIMS = `SELECT anonymous_id, external_id FROM identity_claims FINAL WHERE project = {project} ORDER BY ALL`
/** Traits that are set; their values are JSON. */
export const TRAITS =
  `SELECT external_id, key, value FROM traits FINAL JOIN profiles FINAL USING (project, user_hash) ` +
  `WHERE project = {project} AND value != '' ORDER BY ALL`
const SESSIONS = `SELECT session_id, min(first), max(last) FROM sessions WHERE project = {project} GROUP BY session_id ORDER BY ALL`

const OUTDATED_SESSIONS =
  `SELECT session_id, max(time) AS newest FROM events FINAL WHERE project = {project} AND session_id != toUUID('${NO_SESSION}') ` +
  `GROUP BY session_id HAVING (session_id, newest) NOT IN ` +
  `(SELECT session_id, max(last) FROM sessions WHERE project = {project} GROUP BY session_id)`

/** The archive of what has been sent live to the first project. */
export interface SentArchive {
  readonly archive: string
  /** Rows of events, claims, sessions, and of traits unless the archive has none. */
  readonly counts: readonly number[]
  /** Part of what the import prints. */
  readonly summary: string
  /** The columns of events to compare; all by default. */
  readonly columns?: string
  /** Whether the vendor exports traits with its events. */
  readonly traits?: 'exported' | 'elsewhere'
}

type Rows = readonly Record<string, unknown>[]

/**
 * Imports what has been sent live, into the same project and into a new one, and expects the same rows in both. Returns the rows of
 * each table.
 */
export async function expectSameRows(service: TestService, sent: SentArchive): Promise<readonly Rows[]> {
  const tables = [
    eventsOf(sent.columns ?? ALL_COLUMNS),
    CLAIMS,
    SESSIONS,
    ...(sent.traits === 'elsewhere' ? [] : [TRAITS]),
  ]
  const readAll = async (project: string): Promise<readonly Rows[]> =>
    await Promise.all(tables.map(async (table) => await rowsOf(service, project, table)))
  const countOf = async (project: string): Promise<readonly number[]> =>
    (await readAll(project)).map(({ length }) => length)
  await expect.poll(async () => await countOf('1'), { timeout: 60_000 }).toEqual(sent.counts)
  // The views of a block are filled after its rows.
  await expect
    .poll(async () => await rowsOf(service, '1', OUTDATED_SESSIONS), { timeout: 60_000 })
    .toEqual([])
  const live = await readAll('1')
  const arrived = await arrivalOf(service, 'max', 'events')
  const other = await createProject(service, 'Imported')
  const file = join(service.dataDir, 'archive.jsonl')
  writeFileSync(file, sent.archive)
  for (const key of [PRIVATE_KEY, other.key]) {
    const { code, stdout, stderr } = await runMillrace(['import', file, '--key', key], service.environment)
    expect([code, stdout, code === 0 ? '' : stderr]).toEqual([0, expect.stringContaining(sent.summary), ''])
  }
  rmSync(file)
  // Each row is the copy that came last.
  await expect
    .poll(async () => await arrivalOf(service, 'min', 'events FINAL'), { timeout: 60_000 })
    .toBeGreaterThan(arrived)
  await expect.poll(async () => await countOf(other.id), { timeout: 60_000 }).toEqual(sent.counts)
  for (const project of ['1', other.id]) expect(await readAll(project)).toEqual(live)
  return live
}

async function arrivalOf(service: TestService, which: 'min' | 'max', from: string): Promise<number> {
  const [row] = await rowsOf(
    service,
    '1',
    `SELECT toUnixTimestamp64Milli(${which}(ingested)) ms FROM ${from} WHERE project = {project}`,
  )
  return Number(row?.ms)
}

/** Rows of a statement of ClickHouse, in which `{project}` is the project. */
export async function rowsOf(service: TestService, project: string, sql: string): Promise<Rows> {
  const { url, database, username = '', password = '' } = service.clickhouse()
  const response = await fetch(`${url}/?database=${database}&default_format=JSON`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    body: sql.replaceAll('{project}', project),
  })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { readonly data: Rows }).data
}

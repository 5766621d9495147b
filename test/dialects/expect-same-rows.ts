import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createProject } from '../harness/new-project.ts'
import { PRIVATE_KEY, runMillrace, type TestService } from '../harness/service.ts'

/** What is compared: everything but the project and the time of arrival. */
const EVENTS = `SELECT * EXCEPT (project, ingested) FROM events FINAL WHERE project = {project} ORDER BY event_id`
const CLAIMS = `SELECT anonymous_id, external_id FROM identity_claims FINAL WHERE project = {project} ORDER BY ALL`
const TRAITS =
  `SELECT external_id, key, value FROM traits FINAL JOIN profiles FINAL USING (project, user_hash) ` +
  `WHERE project = {project} ORDER BY ALL`
const SESSIONS = `SELECT session_id, min(first), max(last) FROM sessions WHERE project = {project} GROUP BY session_id ORDER BY ALL`

const TABLES = [EVENTS, CLAIMS, TRAITS, SESSIONS]

/** The archive of what has been sent live to the first project. */
export interface SentArchive {
  readonly archive: string
  /** Rows of events, claims, traits and sessions. */
  readonly counts: readonly number[]
  /** Part of what the import prints. */
  readonly summary: string
}

type Rows = readonly Record<string, unknown>[]

/**
 * Imports what has been sent live, into the same project and into a new one, and expects the same rows in both. Returns the rows of
 * each table.
 */
export async function expectSameRows(service: TestService, sent: SentArchive): Promise<readonly Rows[]> {
  const readAll = async (project: string): Promise<readonly Rows[]> =>
    await Promise.all(TABLES.map(async (table) => await rowsOf(service, project, table)))
  const countOf = async (project: string): Promise<readonly number[]> =>
    (await readAll(project)).map(({ length }) => length)
  await expect.poll(async () => await countOf('1'), { timeout: 60_000 }).toEqual(sent.counts)
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

async function rowsOf(service: TestService, project: string, sql: string): Promise<Rows> {
  const { url, database, username = '', password = '' } = service.clickhouse()
  const response = await fetch(`${url}/?database=${database}&default_format=JSON`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    body: sql.replaceAll('{project}', project),
  })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { readonly data: Rows }).data
}

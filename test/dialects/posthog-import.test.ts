import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toLines } from '../harness/foreign-exports.ts'
import { createProject } from '../harness/new-project.ts'
import { PRIVATE_KEY, PUBLIC_KEY, runMillrace, TestService } from '../harness/service.ts'

/** An event as posthog-node sends it. */
interface SentEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
}

const EVENTS = `SELECT * EXCEPT (project, ingested) FROM events FINAL WHERE project = {project} ORDER BY event_id`
const CLAIMS = `SELECT anonymous_id, external_id FROM identity_claims FINAL WHERE project = {project} ORDER BY ALL`
const TRAITS =
  `SELECT external_id, key, value FROM traits FINAL JOIN profiles FINAL USING (project, user_hash) ` +
  `WHERE project = {project} ORDER BY ALL`
const SESSIONS = `SELECT session_id, min(first), max(last) FROM sessions WHERE project = {project} GROUP BY session_id ORDER BY ALL`

let service: TestService
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-posthog-import-'))
  service = await TestService.start()
})

afterAll(async () => {
  await service?.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test('events that posthog-node has sent have the same rows when their export is imported, and count once', async () => {
  const sent = await sendLive()
  const tables = [EVENTS, CLAIMS, TRAITS, SESSIONS]
  const countOf = async (project: string): Promise<readonly number[]> =>
    await Promise.all(tables.map(async (table) => (await rowsOf(project, table)).length))
  await expect.poll(async () => await countOf('1'), { timeout: 60_000 }).toEqual([5, 2, 4, 1])
  const live = await Promise.all(tables.map(async (table) => await rowsOf('1', table)))
  const file = join(folder, 'export.jsonl')
  writeFileSync(file, toLines(sent.map(toExport)))
  const arrived = await newestOf('1')
  const other = await createProject(service, 'Imported')
  for (const key of [PRIVATE_KEY, other.key]) {
    const { code, stdout, stderr } = await runMillrace(['import', file, '--key', key], service.environment)
    expect([code, stdout, code === 0 ? '' : stderr]).toEqual([
      0,
      expect.stringContaining('9 read, 5 accepted'),
      '',
    ])
  }
  // Each row is the copy that came last.
  await expect.poll(async () => await oldestOf('1'), { timeout: 60_000 }).toBeGreaterThan(arrived)
  await expect.poll(async () => await countOf(other.id), { timeout: 60_000 }).toEqual([5, 2, 4, 1])
  for (const project of ['1', other.id]) {
    const imported = await Promise.all(tables.map(async (table) => await rowsOf(project, table)))
    expect(imported).toEqual(live)
  }
  expect(live[1]).toEqual([
    { anonymous_id: '0198-device', external_id: 'ann' },
    { anonymous_id: 'old-ann', external_id: 'ann' },
  ])
})

/** Sends a person before and after the sign-in, and returns the events as they were on the wire. */
async function sendLive(): Promise<readonly SentEvent[]> {
  const sent: SentEvent[] = []
  const client = new PostHog(PUBLIC_KEY, {
    host: `${service.url}/posthog`,
    disableCompression: true,
    fetch: async (url, options) => {
      sent.push(...JSON.parse(String(options.body)).batch)
      return await fetch(url, options as RequestInit)
    },
  })
  const properties = { price: 9.5, count: 3, list: [1, { a: 'b' }], long: '𝄞'.repeat(2000), nothing: null }
  client.capture({
    distinctId: '0198-device',
    event: '$pageview',
    properties: { $current_url: 'https://a.example/b?utm_source=x' },
  })
  client.identify({
    distinctId: 'ann',
    properties: {
      $set: { plan: 'pro' },
      $set_once: { first: '/a', no: null },
      $anon_distinct_id: '0198-device',
    },
  })
  client.alias({ distinctId: 'ann', alias: 'old-ann' })
  client.capture({ distinctId: 'ann', event: 'Sign Up', properties: { ...properties, $set: { seats: 2 } } })
  client.capture({
    distinctId: 'ann',
    event: 'Sign Up',
    properties: { $session_id: 'session 1', $set_once: { plan: 'free' } },
  })
  client.capture({ distinctId: 'ann', event: 'cancelled', properties: { $unset: ['seats'] } })
  client.capture({
    distinctId: 'bob',
    event: 'Sign_Up',
    properties: { event_name: 'mine', $process_person_profile: false },
  })
  client.identify({ distinctId: 'bob', properties: { name: 'Bob Über 🌊' } })
  client.groupIdentify({ groupType: 'company', groupKey: 'acme' })
  await client.shutdown()
  return sent
}

/** The same event in a batch export, whose rows have the properties as text and times in microseconds. */
function toExport({ uuid, event, distinct_id, timestamp, properties }: SentEvent): object {
  const time = timestamp.replace(/^(.*)T(.*)Z$/, '$1 $2000+00:00')
  const text = JSON.stringify({ ...properties, $ip: '203.0.113.7', $sent_at: timestamp })
  return {
    uuid,
    event,
    distinct_id,
    timestamp: time,
    created_at: time,
    team_id: 7,
    properties: text,
    person_id: uuid,
  }
}

async function newestOf(project: string): Promise<number> {
  const [row] = await rowsOf(
    project,
    'SELECT toUnixTimestamp64Milli(max(ingested)) ms FROM events WHERE project = {project}',
  )
  return Number(row?.ms)
}

async function oldestOf(project: string): Promise<number> {
  const [row] = await rowsOf(
    project,
    'SELECT toUnixTimestamp64Milli(min(ingested)) ms FROM events FINAL WHERE project = {project}',
  )
  return Number(row?.ms)
}

async function rowsOf(project: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const { url, database, username = '', password = '' } = service.clickhouse()
  const response = await fetch(`${url}/?database=${database}&default_format=JSON`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    body: sql.replaceAll('{project}', project),
  })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { readonly data: readonly Record<string, unknown>[] }).data
}

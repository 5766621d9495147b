import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { EventColumns } from '../../pipeline/encode/event-columns.ts'
import { identifyRow } from '../../pipeline/identify/identify-row.ts'
import { diskFiles } from '../../pipeline/journal/files.ts'
import { Quarantine, type QuarantinedBytes } from '../../pipeline/journal/quarantine.ts'
import { parseSettings, type Settings } from '../../settings/settings.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { runQuarantine } from './quarantine.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const SEGMENT = 'c2'.repeat(16)
let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

afterEach(() => {
  vi.restoreAllMocks()
})

afterAll(async () => {
  await store?.stop()
})

function settings(): Settings {
  const parsed = parseSettings({ SERVICE_DATA_DIR: store.dataFolder })
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

function makeBlock(): Buffer {
  const columns = new EventColumns()
  const id = '0198a0c2-0000-7000-8000-000000000001'
  const event = {
    eventId: id,
    kind: 'k',
    timeMs: 0,
    distinctId: 'd',
    sessionId: id,
    cookieless: false,
    properties: [],
  }
  columns.addEvent(event, { projectId: asProjectId(1), requestIndex: 0 })
  return columns.finish().bytes
}

async function setAside(facts: Partial<QuarantinedBytes>): Promise<void> {
  const quarantine = await Quarantine.open(diskFiles, join(store.dataFolder, 'quarantine'))
  const bytes = { reason: 'rejected', error: 'code 117', rows: 1, segment: SEGMENT, offset: 0 } as const
  await quarantine.add({ ...bytes, payload: makeBlock(), ...facts }, log)
}

async function setIdentifyAside(payload: string): Promise<void> {
  const quarantine = await Quarantine.open(diskFiles, join(store.dataFolder, 'quarantine-identify'))
  const bytes = { reason: 'rejected', error: 'code 117', rows: 1, segment: SEGMENT, offset: 100 } as const
  await quarantine.add({ ...bytes, payload: Buffer.from(payload) }, log)
}

async function run(...words: string[]): Promise<string> {
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
  await runQuarantine(settings(), words)
  return lines.join('')
}

/** Rows as queries see them: copies count once. */
async function count(table: 'events' | 'profiles' = 'events'): Promise<number> {
  const answer = await clickhouse.query({
    query: `SELECT count() AS rows FROM ${table} FINAL`,
    format: 'JSONEachRow',
  })
  return Number((await answer.json<{ rows: string }>())[0]?.rows)
}

test('a block is listed, shown, and replayed once', async () => {
  await setAside({})
  expect(await run('list')).toMatch(
    new RegExp(`^${SEGMENT}-0  \\S+  events  rejected  1 rows  \\d+ bytes  code 117\n$`),
  )
  expect(JSON.parse(await run('show', `${SEGMENT}-0`))).toMatchObject({ id: `${SEGMENT}-0`, rows: 1 })
  expect(await run('replay', `${SEGMENT}-0`)).toContain('inserted 1 rows')
  expect(await run('list')).toBe('')
  expect(await count()).toBe(1)
  // As when the first replay died before it could forget the block.
  await setAside({})
  await run('replay', `${SEGMENT}-0`)
  expect(await count()).toBe(1)
})

test('Identify calls are listed, shown, and replayed once', async () => {
  const traits = { traits: new Map([['plan', '"pro"']]), traitsOnce: new Map(), removedTraits: [] }
  const call = { externalId: 'ann', anonymousId: '', deviceId: '', ...traits }
  const row = identifyRow(call, { projectId: asProjectId(1), receivedMicros: 1_770_000_000_000_000 })
  await setIdentifyAside(row)
  expect(await run('list')).toContain('identify  rejected  1 rows')
  expect(JSON.parse(await run('show', `${SEGMENT}-100`))).toMatchObject({ journal: 'identify', rows: 1 })
  expect(await run('replay', `${SEGMENT}-100`)).toContain('inserted 1 rows')
  expect(await run('list')).toBe('')
  expect(await count('profiles')).toBe(1)
  await setIdentifyAside(row)
  await run('replay', `${SEGMENT}-100`)
  expect(await count('profiles')).toBe(1)
  await setIdentifyAside('no row')
  await expect(run('replay', `${SEGMENT}-100`)).rejects.toThrow('ClickHouse rejected')
})

test('a block that ClickHouse rejects again stays in quarantine', async () => {
  await setAside({ offset: 7, payload: Buffer.from('no block') })
  await expect(run('replay', `${SEGMENT}-7`)).rejects.toThrow('ClickHouse rejected')
  expect(await run('list')).toContain(`${SEGMENT}-7`)
})

test.each([
  [['replay', `${SEGMENT}-9`], 'damaged part'],
  [['show', '../keys'], 'there is no block'],
  [['show'], 'there is no block'],
  [['forget'], 'list, show or replay'],
])('%j is refused', async (words, message) => {
  await setAside({ offset: 9, reason: 'damaged', rows: null })
  await expect(run(...words)).rejects.toThrow(message)
})

import { beforeEach, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import type { RequestWarning } from './warning.ts'
import { WarningCollector, type WarningRow, type WarningSource } from './warning-collector.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-05-01T10:59:00Z')
const POSTHOG: WarningSource = { projectId: asProjectId(1), dialect: 'posthog' }

let nowMs: number
let collector: WarningCollector

beforeEach(() => {
  nowMs = START_MS
  collector = new WarningCollector({ clock: { nowMs: () => nowMs }, writer: 'w1' })
})

function warning(fields: Partial<RequestWarning> = {}): RequestWarning {
  return { reason: 'text_cut', sdk: 'node', sdkVersion: '1', count: 1, sample: '', ...fields }
}

function note(warnings: readonly RequestWarning[], source = POSTHOG): void {
  const changedByReason: Record<string, number> = {}
  for (const { reason, count } of warnings) changedByReason[reason] = (changedByReason[reason] ?? 0) + count
  collector.noteOutcome(source, { accepted: 1, changedByReason, warnings })
}

/** The rows that are due, in short. */
function due(): readonly string[] {
  return collector.take().rows.map(describeRow)
}

function describeRow({ project, hour, dialect, reason, sdk, sdk_version, count }: WarningRow): string {
  const time = new Date(hour * 1000).toISOString().slice(11, 16)
  return `${project} ${time} ${dialect} ${reason} ${sdk}/${sdk_version} ${count}`
}

test('a warning counts its events, keeps its first sample, and has the time of the first and the last one', () => {
  note([warning({ count: 2 })])
  nowMs += 1500
  note([warning({ sample: '{"fields":[]}' })])
  note([warning({ sample: 'another' })])
  const { rows } = collector.take()
  expect(rows).toEqual([
    {
      project: 1,
      hour: Date.parse('2026-05-01T10:00:00Z') / 1000,
      dialect: 'posthog',
      reason: 'text_cut',
      sdk: 'node',
      sdk_version: '1',
      writer: 'w1',
      count: 4,
      first: '2026-05-01 10:59:00.000',
      last: '2026-05-01 10:59:01.500',
      sample: '{"fields":[]}',
    },
  ])
})

test('rows come again until they are confirmed, and afterwards only when they have changed, with the whole count', () => {
  note([warning()])
  const { confirm } = collector.take()
  expect(due()).toEqual(['1 10:00 posthog text_cut node/1 1'])
  note([warning()])
  confirm()
  expect(collector.hasNew).toBe(true)
  expect(due()).toEqual(['1 10:00 posthog text_cut node/1 2'])
  collector.take().confirm()
  expect(due()).toEqual([])
  expect(collector.hasNew).toBe(false)
  note([warning()])
  expect(due()).toEqual(['1 10:00 posthog text_cut node/1 3'])
})

test('an hour begins its own count, and the one before stays until it is stored', () => {
  note([warning()])
  nowMs += HOUR_MS
  note([warning()])
  expect(due()).toEqual(['1 10:00 posthog text_cut node/1 1', '1 11:00 posthog text_cut node/1 1'])
  collector.take().confirm()
  nowMs -= HOUR_MS
  note([warning()])
  expect(due()).toEqual(['1 11:00 posthog text_cut node/1 2'])
})

test('events that no worker has described count without a library', () => {
  collector.noteOutcome(POSTHOG, {
    accepted: 1,
    droppedByReason: { no_name: 3, salt_unavailable: 1 },
    warnings: [warning({ reason: 'no_name', count: 2 })],
  })
  expect(due()).toEqual([
    '1 10:00 posthog no_name node/1 2',
    '1 10:00 posthog no_name / 1',
    '1 10:00 posthog salt_unavailable / 1',
  ])
})

test('a request that only asks what would happen counts nothing', () => {
  collector.noteOutcome(POSTHOG, { accepted: 1, changedByReason: { text_cut: 1 }, isCheckOnly: true })
  expect(due()).toEqual([])
})

test('a refused request counts with the rule that it breaks, and not without a project that could see it', () => {
  const violation = { field: 'events[0].customProperties["ann@a.test"]', description: 'must fit' }
  collector.noteOutcome({ ...POSTHOG, dialect: 'millrace' }, { reason: 'INVALID_EVENT_BATCH', violation })
  collector.noteRejection(POSTHOG, 'RATE_LIMITED')
  collector.noteRejection(POSTHOG, 'INVALID_API_KEY')
  const { rows } = collector.take()
  expect(rows.map(describeRow)).toEqual([
    '1 10:00 millrace invalid_event_batch / 1',
    '1 10:00 posthog rate_limited / 1',
  ])
  expect(JSON.parse(rows[0]?.sample ?? '')).toEqual({
    fields: ['events[0].customProperties["…"]'],
    problem: 'must fit',
  })
})

test('beyond 100 libraries of a project in an hour, all others count as one without a name', () => {
  for (let version = 0; version < 130; version++) note([warning({ sdkVersion: String(version) })])
  const other: WarningSource = { ...POSTHOG, projectId: asProjectId(2) }
  note([warning()], other)
  const rows = due()
  expect(rows).toHaveLength(102)
  expect(rows).toContain('1 10:00 posthog text_cut / 30')
  expect(rows).toContain('2 10:00 posthog text_cut node/1 1')
  collector.take().confirm()
  nowMs += HOUR_MS
  note([warning({ sdkVersion: '129' })])
  expect(due()).toEqual(['1 11:00 posthog text_cut node/129 1'])
})

test('libraries of all projects together are limited, and rows that cannot be stored are too', () => {
  for (let project = 1; project <= 25_000; project++)
    note([warning()], { ...POSTHOG, projectId: asProjectId(project) })
  const { rows } = collector.take()
  expect(rows).toHaveLength(20_000)
  expect(rows.filter(({ sdk }) => sdk !== '')).toHaveLength(5000)
})

import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { GetActivityHeatmapRequestSchema } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { parseTimeZone } from '../../domain/insights/time-zone.ts'
import { countDays, lastDays, parseHeatmapRange } from './heatmap.ts'

const UTC = parseTimeZone('UTC')
const BERLIN = parseTimeZone('Europe/Berlin')
const DAY_MS = 86_400_000

describe('the last 60 days', () => {
  test.each([
    ['the first instant of a day', '2026-03-01T00:00:00.000Z'],
    ['the last instant of a day', '2026-03-01T23:59:59.999Z'],
  ])('end after today, seen from %s', (_, now) => {
    const { fromMs, toMs } = lastDays(Date.parse(now), UTC)
    expect(toMs).toBe(Date.UTC(2026, 2, 2))
    expect((toMs - fromMs) / DAY_MS).toBe(60)
  })

  test('are days of the zone, also when its offset changes', () => {
    const { fromMs, toMs } = lastDays(Date.parse('2026-03-31T22:30:00Z'), BERLIN)
    expect(new Date(toMs).toISOString()).toBe('2026-04-01T22:00:00.000Z')
    expect(new Date(fromMs).toISOString()).toBe('2026-01-31T23:00:00.000Z')
  })
})

describe('a requested range', () => {
  const parse = (lengthMs: number) => {
    const timeRange = { from: timestampFromMs(0), to: timestampFromMs(lengthMs) }
    return parseHeatmapRange(create(GetActivityHeatmapRequestSchema, { timeRange }), { nowMs: 0, zone: UTC })
  }

  test('has at most 366 days', () => {
    expect(parse(366 * DAY_MS)).toEqual({ fromMs: 0, toMs: 366 * DAY_MS })
    expect(() => parse(366 * DAY_MS + 1)).toThrow('spans more than 366 days')
  })

  test('defaults to the last 60 days', () => {
    const request = create(GetActivityHeatmapRequestSchema, {})
    expect(parseHeatmapRange(request, { nowMs: DAY_MS, zone: UTC })).toEqual(lastDays(DAY_MS, UTC))
  })
})

test('a day has its date in the zone', async () => {
  const dayMs = Date.parse('2026-03-31T22:00:00Z')
  const { run } = createScriptedRunner([{ dayMs, count: 3 }])
  const range = { fromMs: dayMs, toMs: dayMs + DAY_MS }
  const days = await countDays({ projectId: asProjectId(1), distinctId: '', range, zone: BERLIN }, run)
  expect(days).toEqual([{ date: '2026-04-01', count: 3n }])
})

test('the events of one user are searched among their ids only', async () => {
  const { run, statements } = createScriptedRunner()
  const range = { fromMs: 0, toMs: DAY_MS }
  await countDays({ projectId: asProjectId(1), distinctId: 'anna', range, zone: UTC }, run)
  const [ids, events] = statements.map(({ text }) => text)
  expect(ids).toContain('FROM users WHERE project =')
  expect(events).toMatch(/AND user_hash IN .* WHERE 1 AND dictGetOrDefault\('identities'/)
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { EmbeddedStateStore } from '../../store/state/embedded-state-store.ts'
import { DAY_MS } from '../../store/state/utc-day.ts'
import { deviceSessionBytes, deviceSessionId } from './derived-ids.ts'
import { type DeviceEvent, DeviceSessions } from './device-sessions.ts'

const log = createLogger({ role: 'test', level: 'silent' })
const MINUTE_MS = 60_000
const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const clock = { nowMs: () => NOON_MS }
let dataDir: string
let store: EmbeddedStateStore

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'millrace-devices-'))
  store = new EmbeddedStateStore({ dataDir, clock, log })
})

afterEach(async () => {
  await store.close()
  rmSync(dataDir, { recursive: true })
})

const event = (minute: number, other: Partial<DeviceEvent> = {}): DeviceEvent => ({
  projectId: asProjectId(1),
  device: 'device-1',
  timeMs: NOON_MS + minute * MINUTE_MS,
  ...other,
})

async function resolve(...events: readonly DeviceEvent[]): Promise<readonly string[]> {
  const sessions = await new DeviceSessions({ store, clock }).resolve(events)
  expect(sessions).toHaveLength(events.length)
  for (const session of sessions) expect(session).toMatch(UUID)
  return sessions
}

it('ends after more than half an hour without an event, in any order of arrival', async () => {
  const [first, late, edge, middle] = await resolve(event(0), event(61), event(30), event(15))
  expect([edge, middle]).toEqual([first, first])
  expect(late).not.toBe(first)
})

it('is the same for a repeated request', async () => {
  const events = [event(0), event(40), event(-1400), event(0, { device: 'device-2' })]
  expect(await resolve(...events)).toEqual(await resolve(...events))
})

it('belongs to one device, and its state to one project', async () => {
  const [first, other] = await resolve(event(0), event(0, { device: 'device-2' }))
  expect(other).not.toBe(first)
  // Elsewhere the session of the device began earlier, so that it has another id.
  const elsewhere = { projectId: asProjectId(2) }
  const [, continued] = await resolve(event(-20, elsewhere), event(0, elsewhere))
  expect(continued).not.toBe(first)
  expect(await resolve(event(5))).toEqual([first])
})

it('has an id by its device and the half hour in which it begins, whatever else the store knows', async () => {
  const [now] = await resolve(event(3))
  const [late] = await resolve(event(-3 * 1440 + 3))
  expect(now).toMatch(/-7[0-9a-f]{3}-/)
  expect(now).toBe(deviceSessionId('device-1', NOON_MS + 3 * MINUTE_MS))
  expect(late).toBe(deviceSessionId('device-1', NOON_MS + (3 - 3 * 1440) * MINUTE_MS))
})

it.each([
  ['device-1', 1_728_000_000_000, '019254d3-8000-74d0-b94a-b21f715d4e32'],
  ['x', 4_102_444_800_000, '03bb2cc3-d800-7b5c-9da9-50d5aa2690f7'],
  ['ü🌊'.repeat(3000), 0, '00000000-0000-7a6f-9c5e-9a27e7512405'],
])('of %.8s has an id that rows already have', (device, timeMs, sessionId) => {
  expect(deviceSessionId(device, timeMs)).toBe(sessionId)
  expect(Buffer.from(deviceSessionBytes(device, timeMs)).toString('hex')).toBe(sessionId.replaceAll('-', ''))
})

it('of late events that alternate is that of each event alone', async () => {
  const minutes = [-9000, -9000, -8971, -9000]
  const late = minutes.flatMap((minute) => [event(minute), event(minute, { device: 'device-2' })])
  const alone = await Promise.all(late.map(async (one) => (await resolve(one))[0]))
  expect(await resolve(...late)).toEqual(alone)
  expect(await resolve(...late.slice(0, 1), ...late)).toEqual([alone[0], ...alone])
})

it('continues over calls', async () => {
  const [first] = await resolve(event(0))
  const [second] = await resolve(event(20))
  const [third] = await resolve(event(45))
  expect([second, third]).toEqual([first, first])
})

it.each([
  ['days ago', -3 * 1440],
  ['in days', 3 * 1440],
])('of an event %s is that of its device and half hour, without state', async (_, minute) => {
  const events = [
    event(minute),
    event(minute + 29),
    event(minute + 31),
    event(minute, { device: 'device-2' }),
  ]
  const sessions = await resolve(...events)
  expect(sessions[1]).toBe(sessions[0])
  expect(new Set(sessions).size).toBe(3)
  await store.close()
  expect(await resolve(...events)).toEqual(sessions)
})

it('is one per device and day while the store is gone', async () => {
  await store.close()
  const sessions = await resolve(event(0), event(300), event(0, { device: 'device-2' }), event(-1000))
  expect(sessions[1]).toBe(sessions[0])
  expect(new Set(sessions).size).toBe(3)
})

it('needs no store for no events', async () => {
  expect(await resolve()).toEqual([])
})

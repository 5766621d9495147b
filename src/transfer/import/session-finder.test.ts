import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { DeviceSessions } from '../../pipeline/identity/device-sessions.ts'
import { EmbeddedStateStore } from '../../store/state/embedded-state-store.ts'
import { SessionFinder } from './session-finder.ts'

const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000
const DAY = 1440 * MINUTE

test.each([
  { name: 'a pause of exactly half an hour stays in the session', minutes: [0, 30, 60], sessions: 1 },
  { name: 'a longer pause ends it', minutes: [0, 31], sessions: 2 },
  { name: 'an earlier event that comes later belongs to it', minutes: [20, 40, 0], sessions: 1 },
  { name: 'midnight does not end it', minutes: [-10, 10], sessions: 1 },
])('of a user: $name', ({ minutes, sessions }) => {
  const finder = new SessionFinder()
  const ids = minutes.map((minute) => finder.findOfUser('ada', START + minute * MINUTE))
  expect(new Set(ids).size).toBe(sessions)
})

test('of two users are two', () => {
  const finder = new SessionFinder()
  expect(finder.findOfUser('ada', START)).not.toBe(finder.findOfUser('bob', START))
})

/** Minutes since noon of yesterday, in the order of a file. */
const VISITS = [
  { name: 'one visit', minutes: [0, 10, 20] },
  { name: 'two visits', minutes: [0, 29, 60, 90.02, 200] },
  { name: 'an old event between newer ones', minutes: [100, 10, 110, 139] },
  { name: 'midnight', minutes: [715, 719, 721, 722] },
  { name: 'events that come in any order', minutes: [12, 3, 25, 1, 54] },
]

test.each(VISITS)('of a device are those of live events: $name', async ({ minutes }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-sessions-'))
  const nowMs = START + 0.6 * DAY
  const clock = { nowMs: () => nowMs }
  const log = createLogger({ role: 'test', level: 'silent' })
  const store = new EmbeddedStateStore({ dataDir, clock, log })
  try {
    const live = new DeviceSessions({ store, clock })
    const finder = new SessionFinder()
    for (const minute of minutes) {
      const event = { device: 'd', timeMs: START - DAY / 2 + minute * MINUTE }
      const [expected] = await live.resolve([{ ...event, projectId: asProjectId(7) }])
      expect([minute, finder.findOfDevice(event.device, event.timeMs)]).toEqual([minute, expected])
    }
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
})

test('the sessions of a device are those of a day for which there is no state any more', async () => {
  const finder = new SessionFinder()
  const ids = [0, 10, 29].map((minute) => finder.findOfDevice('d', START + minute * MINUTE))
  expect(new Set(ids).size).toBe(1)
  expect(finder.findOfDevice('other', START)).not.toBe(ids[0])
})

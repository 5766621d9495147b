import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { WarningCollector } from './warning-collector.ts'
import { WarningFlusher } from './warning-flusher.ts'

let collector: WarningCollector
let flusher: WarningFlusher
/** The counts of each INSERT that was tried. */
let inserts: number[][]
let insert: () => Promise<void>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  inserts = []
  insert = async () => {}
  collector = new WarningCollector({ clock: { nowMs: () => 1000 }, writer: 'w' })
  flusher = new WarningFlusher({
    collector,
    insert: async (rows) => {
      const lines = String(rows).trimEnd().split('\n')
      inserts.push(lines.map((line) => (JSON.parse(line) as { readonly count: number }).count))
      await insert()
    },
    log: createLogger({ role: 'test', level: 'silent' }),
  })
})

afterEach(async () => {
  await flusher.stop(1000)
  vi.useRealTimers()
})

function note(): void {
  collector.noteRejection({ projectId: asProjectId(1), dialect: 'millrace' }, 'RATE_LIMITED')
}

test('the first warnings after a quiet time are stored at once, and later ones together', async () => {
  await vi.advanceTimersByTimeAsync(20_000)
  expect(inserts).toEqual([])
  note()
  await vi.advanceTimersByTimeAsync(1000)
  expect(inserts).toEqual([[1]])
  note()
  note()
  await vi.advanceTimersByTimeAsync(5000)
  expect(inserts).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(5000)
  expect(inserts).toEqual([[1], [3]])
})

test('what a failing store did not take is sent again with what has come since', async () => {
  insert = async () => await Promise.reject(new Error('away'))
  note()
  await vi.advanceTimersByTimeAsync(1000)
  note()
  insert = async () => {}
  await vi.advanceTimersByTimeAsync(10_000)
  expect(inserts).toEqual([[1], [2]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(inserts).toHaveLength(2)
})

test('what a failing store did not take is sent again although nothing has come since', async () => {
  insert = async () => await Promise.reject(new Error('away'))
  note()
  await vi.advanceTimersByTimeAsync(1000)
  insert = async () => {}
  await vi.advanceTimersByTimeAsync(10_000)
  expect(inserts).toEqual([[1], [1]])
})

test('one INSERT runs at a time, and a stop stores what came during the last one', async () => {
  const slow = Promise.withResolvers<void>()
  insert = async () => await slow.promise
  note()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(inserts).toHaveLength(1)
  note()
  const stopped = flusher.stop(1000)
  insert = async () => {}
  slow.resolve()
  await stopped
  expect(inserts).toEqual([[1], [2]])
})

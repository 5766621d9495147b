import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { int64Codec } from '../sql/codec.ts'
import type { DayCells } from '../sql/day-cells.ts'
import type { CompiledQuery, QueryRunner } from '../sql/select.ts'
import { param, render, type Sql, sql } from '../sql/sql.ts'
import { DayKeeper, type DayKeeperOptions } from './day-keeper.ts'

const DAY_MS = 24 * 3_600_000
const FIRST_MS = Date.UTC(2026, 2, 1)
const NOW_MS = Date.UTC(2026, 4, 1)

const CELLS: DayCells = {
  projectId: asProjectId(1),
  range: { fromMs: FIRST_MS, toMs: FIRST_MS + 40 * DAY_MS },
  keys: [],
  states: [{ column: 'numbers', stored: sql`count()`, read: (stored) => stored }],
  events: ({ range }) => sql`FROM events WHERE time >= ${param(int64Codec, range.fromMs)}`,
  over: (cells) => sql`SELECT sum(state0) FROM (${cells})`,
}

const QUESTION = { statement: sql`SELECT count() FROM events`, decode: () => 'answer', days: CELLS }

/** A keeper over a store that knows no fills; the statements that ran, and those that stored. */
function rig(options: Partial<DayKeeperOptions> = {}) {
  const asked: string[] = []
  const stored: string[] = []
  const run: QueryRunner = async <R>({ statement, decode }: CompiledQuery<R>) => {
    const { text } = render(statement)
    asked.push(text)
    if (text.includes('FROM day_fills')) return await Promise.resolve([])
    const state = [String(NOW_MS), String(NOW_MS - 2000), '0', [], [], []]
    return await Promise.resolve([decode(text.includes('FROM day_arrivals') ? state : [])])
  }
  const keeper = new DayKeeper({
    insertFound: async (statement: Sql) => await Promise.resolve(void stored.push(render(statement).text)),
    readStoredBytes: async () => await Promise.resolve(0),
    storedBytesMax: 1,
    stateMs: 0,
    rowsMin: 100,
    lagMs: 0,
    retentionDays: 0,
    log: { debug: () => undefined },
    ...options,
  })
  let rowCount = 0
  const ask = async (rowsRead = 100, question: typeof QUESTION = QUESTION): Promise<unknown> => {
    const before = rowCount
    const answer = await keeper.answer(question, run, () => {
      const counted = rowCount
      rowCount = before + rowsRead
      return counted
    })
    await keeper.settle()
    return answer
  }
  return { ask, asked, stored, keeper }
}

const tablesOf = (statements: readonly string[]): readonly (string | undefined)[] =>
  statements.map((text) => /^INSERT INTO (\w+)/.exec(text)?.[1])

test('a fill is announced when its cells are stored, month by month', async () => {
  const { ask, stored } = rig()
  expect(await ask()).toEqual(['answer'])
  expect(tablesOf(stored)).toEqual(['day_cells', 'day_fills', 'day_cells', 'day_fills'])
})

test('an answer that reads few rows is not kept', async () => {
  const { ask, stored } = rig()
  await ask(99)
  expect(stored).toEqual([])
})

test('nothing is stored beyond the bound of the disk', async () => {
  const { ask, stored } = rig({ readStoredBytes: async () => await Promise.resolve(1) })
  await ask()
  expect(stored).toEqual([])
})

test('a question whose cells could not be stored is not announced, and left alone', async () => {
  let attempts = 0
  const { ask } = rig({
    insertFound: async () => {
      attempts++
      return await Promise.reject(new Error('too many cells'))
    },
  })
  await ask()
  await ask()
  expect(attempts).toBe(1)
})

test('a question without a whole day is asked as it is', async () => {
  const { ask, asked } = rig()
  const days = { ...CELLS, range: { fromMs: FIRST_MS + 1, toMs: FIRST_MS + DAY_MS } }
  await ask(100, { ...QUESTION, days })
  expect(asked).toEqual(['SELECT count() FROM events'])
})

test('nothing is stored once the keeper has stopped', async () => {
  const { ask, stored, keeper } = rig()
  await keeper.stop()
  await ask()
  expect(stored).toEqual([])
})

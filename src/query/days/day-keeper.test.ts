import { describe, expect, test, vi } from 'vitest'
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

/** Now, the instant until which arrivals are covered, and the one since which they are counted. */
const INSTANTS = [String(NOW_MS), String(NOW_MS - 2000), '0']

const QUESTION = { statement: sql`SELECT count() FROM events`, decode: () => 'answer', days: CELLS }

/** A keeper over a store that knows no fills; the statements that ran, and those that stored. */
function rig(
  options: Partial<DayKeeperOptions> = {},
  state: readonly unknown[] = [...INSTANTS, ['2026-03-01'], ['100'], ['0'], [], [], [], 'mapping'],
) {
  const asked: string[] = []
  const stored: string[] = []
  const run: QueryRunner = async <R>({ statement, decode }: CompiledQuery<R>) => {
    const { text } = render(statement)
    asked.push(text)
    if (text.includes('FROM day_fills')) return await Promise.resolve([])
    return await Promise.resolve([decode(text.includes('FROM day_arrivals') ? state : [])])
  }
  const keeper = new DayKeeper({
    insertFound: async (statement: Sql) => await Promise.resolve(void stored.push(render(statement).text)),
    readCellSpace: async () => await Promise.resolve({ storedBytes: 0, freeBytes: 100 }),
    storedBytesMax: 10,
    isBusy: () => false,
    storesFrom: 'first asking',
    stateMs: 0,
    isOneNode: true,
    rowsMin: 100,
    storedEventsMin: 100,
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

test.each([
  ['the bound of cells', { storedBytes: 10, freeBytes: 100 }],
  ['a tenth of the free space', { storedBytes: 9, freeBytes: 89 }],
])('nothing is stored beyond %s', async (_, space) => {
  const { ask, stored } = rig({ readCellSpace: async () => await Promise.resolve(space) })
  await ask()
  expect(stored).toEqual([])
})

test('cells wait until questions have ended', async () => {
  const busy = [true, false]
  const { ask, stored } = rig({ isBusy: () => busy.shift() ?? false })
  await ask()
  expect(busy).toEqual([])
  expect(stored).toHaveLength(4)
})

test('nothing is stored while questions run', async () => {
  const { ask, stored, keeper } = rig({ isBusy: () => true })
  const asked = ask()
  await vi.waitFor(() => expect(stored).toEqual([]))
  await keeper.stop()
  await asked
  expect(stored).toEqual([])
})

describe('a question that is asked again', () => {
  const again = (options: Partial<DayKeeperOptions> = {}): ReturnType<typeof rig> =>
    rig({ storesFrom: 'second asking', ...options })

  test('has its days stored then, and costs no other statement before', async () => {
    const { ask, asked, stored } = again()
    await ask()
    expect(asked).toEqual(['SELECT count() FROM events'])
    expect(stored).toEqual([])
    await ask()
    expect(tablesOf(stored)).toEqual(['day_cells', 'day_fills', 'day_cells', 'day_fills'])
  })

  test('about another range has the days of both stored', async () => {
    const { ask, stored } = again()
    const shift = (days: number): typeof QUESTION => {
      const range = { fromMs: FIRST_MS + days * DAY_MS, toMs: FIRST_MS + (days + 10) * DAY_MS }
      return { ...QUESTION, days: { ...CELLS, range } }
    }
    await ask(100, shift(10))
    await ask(100, shift(0))
    expect(stored).toEqual([])
    await ask(100, shift(-1))
    expect(tablesOf(stored)).toEqual(['day_cells', 'day_fills'])
  })

  test('is never looked up if its answers read few rows', async () => {
    const { ask, asked } = again()
    await ask(99)
    await ask(99)
    expect(asked).toEqual(Array(2).fill('SELECT count() FROM events'))
  })
})

test('days with many events are stored in smaller steps', async () => {
  const arrivals = [...INSTANTS, ['2026-03-01', '2026-03-02', '2026-03-03']]
  const { ask, stored } = rig({}, [
    ...arrivals,
    ['3000000', '2000000', '2000000'],
    ['0', '0', '0'],
    [],
    [],
    [],
    'mapping',
  ])
  const range = { fromMs: FIRST_MS, toMs: FIRST_MS + 3 * DAY_MS }
  await ask(100, { ...QUESTION, days: { ...CELLS, range } })
  expect(tablesOf(stored)).toEqual(['day_cells', 'day_fills', 'day_cells', 'day_fills'])
})

test('days and hours are stored in statements of their own', async () => {
  const { ask, stored } = rig({}, [...INSTANTS, ['2026-03-02'], ['100'], ['0'], [], [], [], 'mapping'])
  const range = { fromMs: FIRST_MS + 2 * 3_600_000, toMs: FIRST_MS + 2 * DAY_MS }
  await ask(100, { ...QUESTION, days: { ...CELLS, range } })
  const hours = stored.flatMap((text) => /(\S+ \S+ \S+) AS of_hour/.exec(text)?.[1] ?? [])
  expect(hours).toEqual(['AS of_day, 0', 'toHour(time) + 1'])
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

test('a question without a whole hour is asked as it is', async () => {
  const { ask, asked } = rig()
  const days = { ...CELLS, range: { fromMs: FIRST_MS + 1, toMs: FIRST_MS + 3_600_000 } }
  await ask(100, { ...QUESTION, days })
  expect(asked).toEqual(['SELECT count() FROM events'])
})

test('fills are looked up again once there is one, and not at each asking', async () => {
  const { ask, asked } = rig()
  const lookUps = (): number => asked.filter((text) => text.includes('FROM day_fills')).length
  await ask(99)
  await ask(99)
  expect(lookUps()).toBe(1)
  await ask()
  expect(lookUps()).toBe(1)
  await ask(99)
  expect(lookUps()).toBe(2)
})

test('nothing is stored once the keeper has stopped', async () => {
  const { ask, stored, keeper } = rig()
  await keeper.stop()
  await ask()
  expect(stored).toEqual([])
})

describe('rows of buckets whose days have not changed', () => {
  const DAYS = 3
  const starts = Array.from({ length: DAYS }, (_, index) => FIRST_MS + index * DAY_MS)
  const range = { fromMs: FIRST_MS, toMs: FIRST_MS + DAYS * DAY_MS }
  const ofUsers = {
    column: 'users',
    stored: sql`groupUniqArray(user_hash)`,
    read: (stored: Sql) => stored,
  } as const
  const byDay = {
    ...CELLS,
    range,
    buckets: { bucket: sql`bucket`, starts },
    isByBucket: true,
    over: (cells: Sql) => sql`SELECT bucket, sum(state0) FROM (${cells}) GROUP BY bucket`,
  }

  /** A keeper over a store in which all days are kept; `mappings` are read one after the other, the last one again and again. */
  function keptRig(options: Partial<DayKeeperOptions>, mappings: string[]) {
    const asked: string[] = []
    let [arrived, count] = ['one', 100]
    const run: QueryRunner = async <R>({ statement, decode }: CompiledQuery<R>) => {
      const { text } = render(statement)
      const mapping = (): string => (mappings.length > 1 ? mappings.shift() : mappings[0]) ?? ''
      if (text.includes('FROM day_arrivals')) {
        const state = [...INSTANTS, ['2026-03-03'], [String(count)], ['0'], [], [], [], mapping()]
        return await Promise.resolve([decode(state)])
      }
      if (text.includes('FROM day_fills')) {
        const days = ['2026-03-01', '2026-03-02', '2026-03-03']
        const versions = days.map((_, index) => `${index < 2 ? 0 : count} ${starts[index]}`)
        const found = { fill: 'f', erasures: 0n, days, hours: [0, 0, 0], versions, filledMs: NOW_MS }
        return await Promise.resolve([found as R])
      }
      if (text.startsWith('SELECT if(dictHas')) return await Promise.resolve([decode([mapping()])])
      asked.push(text)
      return await Promise.resolve(
        starts.map((start) => decode([String(start), `${arrived} ${asked.length}`])),
      )
    }
    const keeper = rig({ storesFrom: 'first asking', ...options }).keeper
    const ask = async (changes: Partial<DayCells> = {}): Promise<readonly unknown[]> =>
      await keeper.answer(
        { statement: sql`SELECT`, decode: (row) => row[1], days: { ...byDay, ...changes } },
        run,
        () => 0,
      )
    const change = (): void => {
      arrived = 'two'
      count++
    }
    return { ask, asked, change }
  }

  const first = Array(DAYS).fill('one 1')

  test('are not read again', async () => {
    const { ask, asked } = keptRig({}, [''])
    expect([await ask(), await ask()]).toEqual([first, first])
    expect(asked).toHaveLength(1)
  })

  test('are read again when a question makes other numbers of the same cells', async () => {
    const { ask, asked } = keptRig({}, [''])
    await ask()
    await ask({ over: (cells) => sql`SELECT bucket, max(state0) FROM (${cells}) GROUP BY bucket` })
    expect(asked).toHaveLength(2)
  })

  test('have users as long as ids have the same ones', async () => {
    const { ask, asked } = keptRig({}, ['1', '1', '1', '2'])
    const states = [ofUsers]
    expect([await ask({ states }), await ask({ states })]).toEqual([first, first])
    await ask({ states })
    expect(asked).toHaveLength(2)
  })

  test.each<[string, Partial<DayKeeperOptions>, string[]]>([
    ['people were merged while they were read', {}, ['1', '2', '1', '2', '1']],
    ['it is not known who was merged', {}, ['']],
    ['several nodes know of merges', { isOneNode: false }, ['1']],
  ])('have no users when %s', async (_, options, mappings) => {
    const { ask, asked } = keptRig(options, mappings)
    await ask({ states: [ofUsers] })
    await ask({ states: [ofUsers] })
    expect(asked).toHaveLength(2)
  })

  test('stay as they are when the statement that reads another bucket finds a part of theirs', async () => {
    const { ask, change } = keptRig({}, [''])
    await ask()
    change()
    expect(await ask()).toEqual(['one 1', 'one 1', 'two 2'])
  })
})

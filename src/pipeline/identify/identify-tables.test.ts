import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { identifyRow, profileIdOf } from './identify-row.ts'

let store: OwnEngine
let clickhouse: ClickHouse
let projectCount = 0

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

afterAll(async () => {
  await store?.stop()
})

/** An Identify call at a time of its own. */
interface Call {
  readonly externalId: string
  readonly anonymousId: string
  readonly traits: ReadonlyMap<string, string>
  readonly traitsOnce: ReadonlyMap<string, string>
  readonly removedTraits: readonly string[]
  readonly receivedMicros: number
}

const START_MICROS = 1_770_000_000_000_000

const KEYS = fc.constantFrom('a', 'b', 'c')
const TRAITS_OF_CALL = fc
  .dictionary(KEYS, fc.constantFrom('1', '"x"', 'null', '""'))
  .map((traits) => new Map(Object.entries(traits)))

const CALLS: fc.Arbitrary<readonly Call[]> = fc
  .array(
    fc.record({
      externalId: fc.constantFrom('ann', 'bob', 'cleo'),
      anonymousId: fc.constantFrom('', 'anon-1', 'anon-2', 'anon-3'),
      traits: TRAITS_OF_CALL,
      traitsOnce: TRAITS_OF_CALL,
      removedTraits: fc.oneof(fc.constant([]), fc.uniqueArray(KEYS, { maxLength: 2 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((calls) =>
    calls.map((call, index) => ({
      ...call,
      receivedMicros: START_MICROS + index * 1000,
    })),
  )

/** Rows in some order, in INSERTs of some size, some of them again. */
const ARRIVALS = fc.tuple(
  CALLS,
  fc.array(fc.nat(), { maxLength: 4 }),
  fc.integer({ min: 1, max: 5 }),
  fc.nat(),
)

async function insert(project: number, calls: readonly Call[]): Promise<void> {
  const rows = calls.map((call) =>
    identifyRow(
      { ...call, deviceId: '' },
      { projectId: asProjectId(project), receivedMicros: call.receivedMicros },
    ),
  )
  await clickhouse.command({ query: `INSERT INTO identifies FORMAT JSONEachRow ${rows.join('')}` })
}

async function read(query: string, project: number): Promise<readonly (readonly unknown[])[]> {
  const result = await clickhouse.query({
    query,
    query_params: { project },
    format: 'JSONCompactEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  })
  return await result.json<readonly unknown[]>()
}

/** The known users, their traits and their anonymous ids, from the tables. */
async function readPeople(project: number) {
  const people = await read(
    `SELECT external_id, toString(any(profile_id)), toUnixTimestamp64Micro(toDateTime64(min(profiles.created), 6)), toUnixTimestamp64Micro(toDateTime64(max(profiles.updated), 6))
      FROM profiles WHERE project = {project:UInt32} GROUP BY external_id ORDER BY external_id`,
    project,
  )
  const traits = await read(
    `SELECT any(external_id), key, value FROM traits AS t FINAL INNER JOIN profiles USING (project, user_hash)
      WHERE project = {project:UInt32} AND value != '' GROUP BY user_hash, key, value ORDER BY 1, 2`,
    project,
  )
  const owners = await read(
    `SELECT anonymous_id, argMin(external_id, (claimed, external_id)) FROM identity_claims FINAL
      WHERE project = {project:UInt32} GROUP BY anonymous_id ORDER BY 1`,
    project,
  )
  return { people, traits, owners }
}

/** The same by the rules: first claim, last write; `traitsOnce` only where there is neither a value nor a removal. */
function expectPeople(calls: readonly Call[], project: number) {
  const names = [...new Set(calls.map(({ externalId }) => externalId))].sort()
  const people = names.map((name) => {
    const own = calls.filter(({ externalId }) => externalId === name)
    const updated = own
      .filter(({ traits, removedTraits }) => traits.size + removedTraits.length > 0)
      .map(({ receivedMicros }) => receivedMicros)
    return [
      name,
      profileIdOf(asProjectId(project), name),
      String(own[0]?.receivedMicros),
      String(updated.at(-1) ?? 0),
    ]
  })
  const traits = names.flatMap((name) =>
    ['a', 'b', 'c'].flatMap((key) => {
      const own = calls.filter(({ externalId }) => externalId === name)
      const value = expectValue(key, own)
      return value === undefined ? [] : [[name, key, value]]
    }),
  )
  const ids = [...new Set(calls.map(({ anonymousId }) => anonymousId))].filter((id) => id !== '').sort()
  const owners = ids.map((id) => [id, calls.find(({ anonymousId }) => anonymousId === id)?.externalId])
  return { people, traits, owners }
}

/** The value of a trait after the calls of a user, in order. */
function expectValue(key: string, calls: readonly Call[]): string | undefined {
  const last = calls.findLast(({ traits, removedTraits }) => traits.has(key) || removedTraits.includes(key))
  if (last) return last.removedTraits.includes(key) ? undefined : last.traits.get(key)
  return calls.find(({ traitsOnce }) => traitsOnce.has(key))?.traitsOnce.get(key)
}

test('the same calls in any order, repetition and grouping result in the same users', async () => {
  await fc.assert(
    fc.asyncProperty(ARRIVALS, async ([calls, repeated, size, seed]) => {
      const project = ++projectCount
      const again = repeated.map((index) => calls[index % calls.length]).filter((call) => call !== undefined)
      const arrivals = shuffle([...calls, ...again], seed)
      for (let start = 0; start < arrivals.length; start += size) {
        await insert(project, arrivals.slice(start, start + size))
      }
      expect(await readPeople(project)).toEqual(expectPeople(calls, project))
    }),
    { numRuns: propertyRuns(40) },
  )
})

test('a claim that an event implies makes a user known, and is no Identify call', async () => {
  const project = ++projectCount
  const call = { externalId: 'ann', deviceId: '', traits: NONE, traitsOnce: NONE, removedTraits: [] }
  const add = async (anonymousId: string, isImplied: boolean, second: number): Promise<void> => {
    const context = { projectId: asProjectId(project), receivedMicros: START_MICROS + second * 1_000_000 }
    const row = identifyRow({ ...call, anonymousId, isImplied }, context)
    await clickhouse.command({ query: `INSERT INTO identifies FORMAT JSONEachRow ${row}` })
  }
  const identified = async (): Promise<unknown> =>
    await read(
      `SELECT toUnixTimestamp(max(identified)) FROM profiles WHERE project = {project:UInt32}`,
      project,
    )
  await add('anon-1', true, 0)
  expect(await identified()).toEqual([[0]])
  expect((await readPeople(project)).owners).toEqual([['anon-1', 'ann']])
  await add('', false, 1)
  await add('anon-1', true, 2)
  expect(await identified()).toEqual([[START_MICROS / 1_000_000 + 1]])
})

const NONE: ReadonlyMap<string, string> = new Map()

test.each(['traits', 'traitsOnce'] as const)(
  'two values of %s at the same instant resolve to the same one in every order',
  async (field) => {
    const values = ['"one"', '"two"', '"three"']
    const calls = values.map((value) => ({
      externalId: 'ann',
      anonymousId: '',
      traits: field === 'traits' ? new Map([['a', value]]) : NONE,
      traitsOnce: field === 'traitsOnce' ? new Map([['a', value]]) : NONE,
      removedTraits: [],
      receivedMicros: START_MICROS,
    }))
    const [forwards, backwards] = [++projectCount, ++projectCount]
    for (const call of calls) await insert(forwards, [call])
    for (const call of calls.toReversed()) await insert(backwards, [call])
    const left = await readPeople(forwards)
    expect(left.traits).toEqual((await readPeople(backwards)).traits)
    expect(left.traits).toHaveLength(1)
  },
)

function shuffle<T>(items: readonly T[], seed: number): T[] {
  const keyed = items.map((item, index) => ({ item, key: Math.sin(seed + index * 7919) }))
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item)
}

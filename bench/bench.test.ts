import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { Prng } from '../src/kernel/prng.ts'
import { decodeBatchJsonSlow } from '../src/pipeline/decode/json-slow.ts'
import { CASES } from './cases.ts'
import { generateEvents } from './corpus/events.ts'
import { BATCH_SIZES, batchBodies, FIXTURE_EVENTS, INGEST_RANGE } from './corpus/fixtures.ts'
import { createFreshBodies } from './rig/fresh-bodies.ts'
import { median, summarise } from './summary.ts'

const PLAN = { count: 50, ...INGEST_RANGE }

describe('corpus', () => {
  test('the same seed makes the same events, another seed others', () => {
    const events = generateEvents(new Prng(1), PLAN)
    expect(generateEvents(new Prng(1), PLAN)).toEqual(events)
    expect(generateEvents(new Prng(2), PLAN)).not.toEqual(events)
  })

  test('the generator of numbers is pinned, so that figures of different times compare', () => {
    const prng = new Prng(20260120)
    expect([prng.uint32(), prng.below(1000), prng.uuid()]).toMatchInlineSnapshot(`
      [
        321397991,
        914,
        "5a65ea09-ea48-401f-87ac-5cd83a7d7f48",
      ]
    `)
  })

  test.each(BATCH_SIZES)('the decoder accepts every event of the batches of %i', (size) => {
    const batches = batchBodies(size).map((body) => decodeBatchJsonSlow(body))
    expect(new Set(batches.map((batch) => batch.length))).toEqual(new Set([size]))
    expect(new Set(batches.flat().map(({ eventId }) => eventId)).size).toBe(FIXTURE_EVENTS)
  })

  test('an event is about 600 bytes and every type of value occurs', () => {
    const bodies = batchBodies(100)
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / FIXTURE_EVENTS
    expect(bytes).toBeGreaterThan(550)
    expect(bytes).toBeLessThan(700)
    const properties = bodies
      .flatMap((body) => decodeBatchJsonSlow(body))
      .flatMap((event) => event.properties)
    const types = new Set(properties.map(({ value }) => value.type))
    expect([...types].sort()).toEqual(['bool', 'double', 'int', 'string', 'time'])
  })

  test('fresh bodies never repeat an event id, and the decoder accepts them', () => {
    const bodies = batchBodies(1000)
    const nextBody = createFreshBodies(bodies)
    const ids = Array.from({ length: bodies.length * 3 }, () => decodeBatchJsonSlow(nextBody()))
      .flat()
      .map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(FIXTURE_EVENTS * 3)
  })
})

describe('cases', () => {
  const names = CASES.map(({ name }) => name)

  test('names are unique', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(names)('%s is op/fixture', (name) => {
    expect(name).toMatch(/^[a-z0-9]+\/[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('a summary takes the ratio round by round', () => {
    const [benchCase] = CASES
    if (!benchCase) throw new Error('there is no case')
    const samples = [
      { cost: 2, baseline: 1, parts: { edge: 1 } },
      { cost: 9, baseline: 3, parts: { edge: 5 } },
      { cost: 4, baseline: 4, parts: { edge: 3 } },
    ]
    expect(summarise(benchCase, { samples })).toMatchObject({
      rounds: 3,
      median: 4,
      min: 2,
      spread: 1.75,
      ratio: 2,
      parts: { edge: 3 },
    })
    expect(median([1, 4, 2, 3])).toBe(2.5)
  })
})

describe('run.ts', () => {
  test('measures the cases that match and exits 0', () => {
    const { status, stdout } = run('^decode/json-batch-1$', '--rounds', '1', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'decode/json-batch-1', rounds: 1 }])
  })

  test('lists the cases that match', () => {
    expect(run('^encode/', '--list')).toMatchObject({
      status: 0,
      stdout: 'encode/batch-1\nencode/batch-10\nencode/batch-100\nencode/batch-1000\n',
    })
  })

  test.each([
    [['no-such-case'], 'bench: no case matches no-such-case; --list names them all\n'],
    [['('], 'bench: ( is not a regular expression\n'],
    [
      ['compare', 'no-such-commit', '^encode/batch-1$'],
      'bench: git worktree add: fatal: invalid reference: no-such-commit\n',
    ],
    [['decode', '--rounds', '0'], 'bench: --rounds takes a number from 1 to 1000\n'],
  ])('%j exits 1 with one clear line', (words, message) => {
    expect(run(...words)).toMatchObject({ status: 1, stdout: '', stderr: message })
  })
})

function run(...words: readonly string[]): SpawnSyncReturns<string> {
  const script = fileURLToPath(import.meta.resolve('./run.ts'))
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
}

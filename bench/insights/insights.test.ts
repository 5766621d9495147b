import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { differ } from './figures.ts'
import { QUERIES } from './queries/queries.ts'
import type { InsightsReport } from './report.ts'

const RUN_MS_MAX = 300_000

describe('queries', () => {
  const names = QUERIES.map(({ name }) => name)

  test('names are unique', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(names)('%s is type/what', (name) => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/)
  })
})

describe('differ', () => {
  const exact = new Map([
    ['a', 60],
    ['b', 40],
  ])

  test('equal answers differ by nothing', () => {
    expect(differ(exact, new Map(exact))).toEqual({ share: 0, wrong: 0, figures: 2 })
  })

  test('missing and surplus figures count', () => {
    const answered = new Map([
      ['a', 60],
      ['c', 10],
    ])
    expect(differ(exact, answered)).toEqual({
      share: 0.5,
      wrong: 2,
      figures: 3,
      worst: { name: 'b', exact: 40, answered: 0 },
    })
  })

  test('sums of doubles in another order are equal', () => {
    expect(differ(new Map([['a', 0.1 + 0.2]]), new Map([['a', 0.3]]))).toMatchObject({ wrong: 0 })
  })
})

describe('run.ts', () => {
  let report: InsightsReport

  beforeAll(() => {
    const { status, stdout, stderr } = run('.', '--events', '20000', '--rounds', '1', '--json')
    if (status !== 0) throw new Error(stderr)
    report = JSON.parse(stdout)
  }, RUN_MS_MAX)

  test('runs every query over a small world', () => {
    expect(report.queries.map(({ name }) => name)).toEqual(QUERIES.map(({ name }) => name))
  })

  test.each(QUERIES.map(({ name }) => name))('%s has the answer of the statement by hand', (name) => {
    const query = report.queries.find((candidate) => candidate.name === name)
    expect(query).toMatchObject({ ours: { difference: { wrong: 0 } } })
  })

  test('every peer answers', () => {
    const failures = report.queries.flatMap(({ peers }) => peers).filter((peer) => 'failed' in peer)
    expect(failures).toEqual([])
  })

  test('the traffic is pinned, so that figures of different times compare', () => {
    const funnel = report.queries.find(({ name }) => name === 'funnel/purchase')
    expect(funnel?.hand).toMatchObject({ figures: { 1: 588, 2: 319, 3: 39 } })
  })

  test.each([
    [['no-such-query'], /^bench: no query matches no-such-query; usage: /],
    [['--events', 'x'], /^bench: --events takes a number from 1; usage: /],
  ])('%j exits 1 with one clear line', (words, message) => {
    const { status, stderr } = run(...words)
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)])
  })
})

function run(...words: readonly string[]): SpawnSyncReturns<string> {
  const script = fileURLToPath(import.meta.resolve('./run.ts'))
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8', timeout: RUN_MS_MAX })
}

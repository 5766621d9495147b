import { create } from '@bufbuild/protobuf'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import {
  FunnelResultSchema,
  FunnelSeriesSchema,
  RetentionResultSchema,
  UserFlowResultSchema,
} from '@contract/shared/insights/v1/query_result_pb.js'
import { describe, expect, test } from 'vitest'
import { conversionOf, funnelRun } from './funnel-model.ts'
import { layoutPaths, nodesThrough } from './paths-layout.ts'
import { retentionModel, returnedPeople } from './retention-model.ts'
import { areaPath } from './retention-path.ts'

describe('a funnel', () => {
  const steps = (totals: readonly number[]) =>
    totals.map((total, at) => ({
      eventKind: `step${at}`,
      total,
      ...(at > 0 && { timing: { median: durationFromMs(5000), p95: durationFromMs(9000) } }),
    }))
  const { series } = create(FunnelResultSchema, { series: [{ steps: steps([200, 100, 0, 0]) }] })
  const before = create(FunnelResultSchema, { series: [{ steps: steps([100, 80, 0, 0]) }] }).series
  const [first] = series
  const stages = first ? funnelRun(first, before).stages : []

  test('has rates from the step before and from the first, and people who dropped off', () => {
    expect(stages.map(({ fromPrevious, fromStart, dropped }) => [fromPrevious, fromStart, dropped])).toEqual([
      [1, 1, 0],
      [0.5, 0.5, 100],
      [0, 0, 100],
      [undefined, 0, 0],
    ])
  })

  test('converts the share of the first step that reached the last, of one series without times', () => {
    const answerOf = (...all: readonly (readonly number[])[]) => ({
      case: 'funnel' as const,
      value: create(FunnelResultSchema, { series: all.map((totals) => ({ steps: steps(totals) })) }),
    })
    const previous = answerOf([100, 80, 10])
    expect(conversionOf({ result: answerOf([200, 100, 50]), previous }, undefined)).toEqual({
      value: 25,
      previous: 10,
    })
    expect(conversionOf({ result: answerOf([0, 0]), previous: undefined }, undefined)).toBeUndefined()
    expect(conversionOf({ result: answerOf([9, 3], [9, 4]), previous }, undefined)).toBeUndefined()
    const times = answerOf([200, 100])
    times.value.series[0] = create(FunnelSeriesSchema, { steps: steps([200, 100]), timeToConvert: {} })
    expect(conversionOf({ result: times, previous }, undefined)).toBeUndefined()
  })

  test('compares a step with the required one before it, past optional steps', () => {
    const optional = create(FunnelResultSchema, { series: [{ steps: steps([200, 20, 100]) }] }).series[0]
    const run = optional && funnelRun(optional, undefined, { optionalSteps: [2] })
    expect(
      run?.stages.map(({ fromPrevious, dropped, isAfterOptional }) => [
        fromPrevious,
        dropped,
        isAfterOptional,
      ]),
    ).toEqual([
      [1, 0, false],
      [0.1, 180, false],
      [0.5, 100, true],
    ])
  })

  test('has times where somebody took the step, and the rate of the previous period', () => {
    expect(stages.map(({ medianSeconds }) => medianSeconds)).toEqual([undefined, 5, undefined, undefined])
    expect(stages.map(({ fromStartBefore }) => fromStartBefore)).toEqual([1, 0.8, 0, 0])
    expect(stages.map(({ medianBefore }) => medianBefore)).toEqual([undefined, 5, undefined, undefined])
  })
})

describe('retention', () => {
  const { series } = create(RetentionResultSchema, {
    series: [
      {
        cohorts: [
          {
            cohort: '2026-11-02T00:00:00Z',
            cohortSize: 100,
            points: [{ value: 100 }, { value: 50 }, { value: 10 }],
          },
          { cohort: '2026-11-09T00:00:00Z', cohortSize: 300, points: [{ value: 100 }, { value: 20 }] },
          { cohort: '2026-11-16T00:00:00Z', cohortSize: 40, points: [{ value: 100 }] },
        ],
      },
    ],
  })
  const cohorts = series[0]?.cohorts ?? []
  const at = (now: string) => retentionModel(cohorts, { nowMs: Date.parse(now), timeZone: 'UTC' })

  test('is averaged over people, without periods that are not over', () => {
    expect(at('2026-11-23T00:00:00Z').averages).toEqual([100, 27.5, 10])
    expect(at('2026-11-18T00:00:00Z').averages).toEqual([100, 50, undefined])
  })

  test('is drawn where it is known, and not at all where no period is over', () => {
    expect(areaPath([100, 50, undefined], 60)).toMatch(/^M30 \S+L90 \S+L90 182L30 182Z$/)
    expect(areaPath([undefined, undefined], 60)).toBe('')
  })

  test('marks the cells of the period that is not over', () => {
    const { rows, hasIncomplete, width } = at('2026-11-18T00:00:00Z')
    expect(rows.map(({ cells }) => cells.map(({ isComplete }) => isComplete))).toEqual([
      [true, true, false],
      [true, false],
      [false],
    ])
    expect([hasIncomplete, width]).toEqual([true, 'week'])
  })

  test('has an elapsed period only once the last person of a cohort had it', () => {
    const nowMs = Date.parse('2026-11-18T00:00:00Z')
    const { rows, averages } = retentionModel(cohorts, { nowMs, timeZone: 'UTC', isElapsed: true })
    expect(rows.map(({ cells }) => cells.map(({ isComplete }) => isComplete))).toEqual([
      [true, false, false],
      [false, false],
      [false],
    ])
    expect(averages).toEqual([100, undefined, undefined])
  })

  test('has people behind a percentage, and colours relative to the highest after period 0', () => {
    expect(returnedPeople({ people: 1104 }, { percent: 36.9565 })).toBe(408)
    expect(at('2026-11-23T00:00:00Z').percentMax).toBe(50)
  })
})

describe('paths', () => {
  const flow = create(UserFlowResultSchema, {
    nodes: [
      { id: 'a', label: 'home', depth: 0 },
      { id: 'o', isOthers: true, depth: 1 },
      { id: 'b', label: 'list', depth: 1 },
      { id: 'c', label: 'item', depth: 2 },
      { id: 'd', label: 'exit', depth: 2 },
    ],
    links: [
      { source: 'a', target: 'o', value: 70n },
      { source: 'a', target: 'b', value: 30n },
      { source: 'b', target: 'c', value: 20n },
      { source: 'o', target: 'd', value: 5n },
    ],
  })
  const { nodes, links } = layoutPaths(flow, { width: 510, height: 212, labelWidth: 100 })

  test('are in columns by position, the largest first and the others last', () => {
    expect(nodes.map(({ id, left }) => [id, left])).toEqual([
      ['a', 0],
      ['b', 200],
      ['o', 200],
      ['c', 400],
      ['d', 400],
    ])
    expect(Math.max(...nodes.map(({ top, height }) => top + height))).toBeLessThanOrEqual(212)
  })

  test('have heights in proportion to their sessions', () => {
    const heights = new Map(nodes.map(({ id, height }) => [id, height]))
    expect(heights.get('a')).toBeCloseTo(200)
    expect(heights.get('b')).toBeCloseTo(60)
  })

  test('leave and reach their nodes without overlap', () => {
    const fromA = links.filter(({ source }) => source === 'a')
    expect(fromA.map(({ target, fromY }) => [target, Math.round(fromY)])).toEqual([
      ['b', 30],
      ['o', 130],
    ])
  })

  test('through a node are all links before and after it', () => {
    expect([...nodesThrough(links, 'b')].sort()).toEqual(['a', 'b', 'c'])
  })
})

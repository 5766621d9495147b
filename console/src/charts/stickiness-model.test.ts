import { create } from '@bufbuild/protobuf'
import { StickinessResultSchema } from '@contract/millrace/insights/v1/stickiness_pb.js'
import { expect, test } from 'vitest'
import { activityLine, labelStep, stickinessModel } from './stickiness-model.ts'

const points = (...users: readonly number[]) =>
  users.map((exactly, at) => ({
    buckets: at + 1,
    users: BigInt(exactly),
    cumulative: BigInt(users.slice(at).reduce((sum, value) => sum + value, 0)),
  }))

const result = create(StickinessResultSchema, {
  series: [
    { eventKind: 'view', points: points(4, 2, 1) },
    { eventKind: '', points: points(0, 0, 3) },
  ],
})

test('columns have a bar for each series, under an axis that holds all people', () => {
  const { labels, columns, ticks } = stickinessModel(result)
  expect(labels).toEqual(['view', 'All events'])
  expect(columns.map((bars) => bars.map(({ people, orMore }) => `${people}/${orMore}`))).toEqual([
    ['4/7', '0/3'],
    ['2/3', '0/3'],
    ['1/1', '3/3'],
  ])
  expect(ticks.map(({ value }) => value)).toEqual([0, 2, 4, 6, 8])
  expect(columns[0]?.map(({ share, orMoreShare }) => [share, orMoreShare])).toEqual([
    [0.5, 0.875],
    [0, 0.375],
  ])
})

test('the line falls from all people to those of all buckets', () => {
  expect(activityLine(stickinessModel(result), 0)).toBe('M0.5 0.125L1.5 0.625L2.5 0.875')
  expect(activityLine(stickinessModel(create(StickinessResultSchema)), 0)).toBe('')
})

test.each([
  [1, 1],
  [12, 1],
  [13, 2],
  [366, 31],
])('of %i columns each %ith has a number', (count, step) => {
  expect(labelStep(count)).toBe(step)
})

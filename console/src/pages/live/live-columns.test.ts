import { create } from '@bufbuild/protobuf'
import { ActivityEventSchema } from '@contract/shared/activity/v1/activity_pb.js'
import { describe, expect, test } from 'vitest'
import {
  COLUMNS_MAX,
  columnsOf,
  readColumns,
  titleOfColumn,
  valueInColumn,
  writeColumns,
} from './live-columns.ts'

const EVENT = create(ActivityEventSchema, {
  autoProperties: { $browser: 'Firefox', $bot: true },
  customProperties: { $browser: 'own', plan: 'pro; Ä', items: 2 },
})

describe('the columns of live events', () => {
  test('are kept in a word', () => {
    const word = writeColumns(['$browser', '.plan; Ä'])
    expect(word).toMatch(/^[^;\s]+$/)
    expect(readColumns(word)).toEqual(['$browser', '.plan; Ä'])
  })

  test.each(['', 'x', '%', '7', '[7]', '[""]'])('are none for %j', (text) => {
    expect(readColumns(text)).toEqual([])
  })

  test('are at most as many as fit', () => {
    const keys = Array.from({ length: COLUMNS_MAX + 1 }, (_, at) => `.p${at}`)
    expect(readColumns(writeColumns(keys))).toEqual(keys.slice(0, COLUMNS_MAX))
  })

  test('are the properties of the events, by their titles', () => {
    expect(columnsOf([EVENT, EVENT]).map(titleOfColumn)).toEqual([
      '$browser',
      'Browser',
      'items',
      'plan',
      'Sent by a bot',
    ])
  })

  test.each([
    ['$browser', 'Firefox'],
    ['.$browser', 'own'],
    ['$bot', 'true'],
    ['.items', '2'],
    ['$os', ''],
    ['.missing', ''],
  ])('have a value for %j: %j', (key, value) => {
    expect(valueInColumn(EVENT, key)).toBe(value)
  })
})

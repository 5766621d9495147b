import { expect, test } from 'vitest'
import { readPosthogEvent } from './read-event.ts'

const REQUEST = {
  key: 'pub_test',
  receivedMs: 1_795_355_895_814,
  skewMs: undefined,
  nameOfUnnamed: undefined,
}

/** An exception as the SDKs send it: the error, and what caused it. */
const LIST = [
  { type: 'TypeError', value: 'boom', stacktrace: { frames: [{ context_line: 'x'.repeat(2000) }] } },
  { type: 'Error', value: 'the cause' },
]

function propertiesOf(properties: object): Record<string, unknown> {
  const record = { event: '$exception', distinct_id: 'ann', properties }
  const { keys = [], values = [] } = readPosthogEvent(record, REQUEST).event?.properties ?? {}
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]))
}

test('an exception keeps its type and its message when its stack is too long', () => {
  expect(propertiesOf({ $exception_list: LIST })).toEqual({
    $exception_type: 'TypeError',
    $exception_message: 'boom',
  })
  const own = { $exception_type: 'Own', $exception_message: 'of an older SDK' }
  expect(propertiesOf({ $exception_list: LIST, ...own })).toEqual(own)
})

test.each([[undefined], [null], [7], [[]], [[null]], [[{ type: {}, value: [] }]]])(
  'an exception with the list %j is stored',
  (list) => {
    expect(propertiesOf({ $exception_list: list, plan: 'pro' })).toMatchObject({ plan: 'pro' })
  },
)

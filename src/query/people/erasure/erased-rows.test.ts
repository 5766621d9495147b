import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../../contract/ids.ts'
import { render } from '../../sql/sql.ts'
import {
  ERASED_TABLES,
  type ErasureScope,
  erasedRows,
  fromErasedRows,
  fromLeftRows,
  positionOf,
} from './erased-rows.ts'

const FIRST: ErasureScope = {
  projectId: asProjectId(1),
  requestIds: ['0197a1c0-0000-7000-8000-000000000001', '0197a1c0-0000-7000-8000-000000000002'],
  cutMs: undefined,
}
const LATER: ErasureScope = { ...FIRST, cutMs: 5000 }

/** The statement with its parameters in place. */
function textOf(statement: ReturnType<typeof erasedRows>): string {
  const { text, params } = render(statement)
  return text.replace(/\{(p\d+):[\w()]+\}/g, (_, name: string) => String(params[name]))
}

describe.each(ERASED_TABLES)('%s', (table) => {
  test('is restricted to the project and the ids or sessions of the requests', () => {
    const text = textOf(erasedRows(table, FIRST))
    expect(text).toMatch(/^project = 1 AND /)
    expect(text).toMatch(
      /IN \(SELECT (id_hash FROM erasure_ids|session_id FROM erasure_sessions) WHERE project = 1 AND request IN 0197a1c0-[-0-9]+1,0197a1c0-[-0-9]+2\)/,
    )
    expect(text).not.toContain('5000')
  })

  test('is counted before the deletion with its condition', () => {
    const condition = textOf(erasedRows(table, LATER)).replace('project = 1 AND ', '')
    if (table !== 'events')
      expect(textOf(fromErasedRows(table, LATER))).toBe(`FROM ${table} WHERE project = 1 AND ${condition}`)
    else expect(textOf(fromErasedRows(table, LATER))).toContain(' AND (time <= ')
  })
})

const AT_CUT = "fromUnixTimestamp64Milli(5000, 'UTC')"

const RECEIVED =
  'if(version < 1152921504606846976, 4503599627370496 - toInt64(bitShiftRight(version, 8)), toInt64(bitShiftRight(version, 12)))'

test.each([
  ['events', `(time <= ${AT_CUT} OR ingested <= ${AT_CUT})`],
  ['traits', `${RECEIVED} <= 5000000`],
  ['device_users', `${RECEIVED} <= 5000000`],
  ['identity_claims', `claimed <= ${AT_CUT}`],
  ['profiles', `greatest(identified, created) <= ${AT_CUT}`],
] as const)('a later sweep of %s spares rows from after the erasure', (table, condition) => {
  expect(textOf(erasedRows(table, LATER)).endsWith(` AND ${condition}`)).toBe(true)
  expect(textOf(fromLeftRows(table, LATER)).endsWith(` AND ${condition}`)).toBe(true)
})

test('claims of other users to the ids are deleted, too', () => {
  expect(textOf(erasedRows('identity_claims', FIRST))).toMatch(
    /\(id_hash IN \(.*\) OR user_hash IN \(.*\)\) AND 1$/,
  )
})

test.each(['sessions', 'session_arrivals', 'long_sessions'] as const)(
  '%s with events of others may remain',
  (table) => {
    expect(textOf(fromLeftRows(table, FIRST))).toContain(
      'AND session_id NOT IN (SELECT session_id FROM events',
    )
  },
)

test('every version of a trait must be gone, not only the latest one', () => {
  expect(textOf(fromLeftRows('traits', FIRST))).toMatch(/^FROM traits WHERE /)
})

test('an event is of the first request that has its id', () => {
  expect(textOf(positionOf(FIRST))).toMatch(
    /^multiIf\(user_hash IN \(.* IN 0197a1c0-[-0-9]+1\), 1, user_hash IN \(.* IN 0197a1c0-[-0-9]+2\), 2, toInt64\(0\)\)$/,
  )
})

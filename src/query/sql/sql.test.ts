import fc from 'fast-check'
import { expect, test } from 'vitest'
import { int64Codec, stringCodec } from './codec.ts'
import { column, select } from './select.ts'
import { join, param, render, sql } from './sql.ts'

test('placeholders are named in the order of the text, and one parameter in two slots once', () => {
  const inner = sql`a = ${param(stringCodec, 'x')}`
  const { text, params } = render(
    sql`SELECT ${param(int64Codec, 7)} WHERE ${join([inner, inner], sql` AND `)}`,
  )
  expect(text).toBe('SELECT {p0:Int64} WHERE a = {p1:String} AND a = {p1:String}')
  expect(params).toEqual({ p0: 7, p1: 'x' })
})

test('the text never depends on a value', () => {
  const print = (value: string): string => render(sql`SELECT ${param(stringCodec, value)}`).text
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => print(value) === print('')))
})

test('a select list decodes its own rows and refuses others', () => {
  const query = select(
    { count: column(int64Codec, sql`count()`), kind: column(stringCodec, sql`kind`) },
    sql`FROM t`,
  )
  expect(render(query.statement).text).toBe('SELECT count(), kind FROM t')
  expect(query.decode(['12', 'a'])).toEqual({ count: 12, kind: 'a' })
  expect(() => query.decode(['12'])).toThrow('expected 2 cells')
  expect(() => query.decode([12, 'a'])).toThrow('expected a string cell')
  expect(() => query.decode(['9007199254740993', 'a'])).toThrow('safe integers')
})

import { expect, test } from 'vitest'
import { avatarColor, initialsOf } from './initials.ts'

test.each([
  ['Anna Keller', 'AK'],
  ['Anna Maria van Keller', 'AK'],
  ['bo@oakline.example', 'B'],
  ['chen.wei@oakline.example', 'CW'],
  ['élise', 'É'],
  ['山田 太郎', '山太'],
  ['', ''],
  ['@', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('the same id has the same colour, and ids use all six', () => {
  const colors = Array.from({ length: 200 }, (_, at) => avatarColor(`user-${at}`))
  expect([...new Set(colors)].sort()).toEqual([1, 2, 3, 4, 5, 6])
  expect(avatarColor('user-7')).toBe(colors[7])
})

import { expect, test } from 'vitest'
import { isMailAddress, parseMailbox, printMailbox } from './mailbox.ts'

test.each([
  ['a@example.com', { name: '', address: 'a@example.com' }],
  [' a@example.com ', { name: '', address: 'a@example.com' }],
  ['<a@localhost>', { name: '', address: 'a@localhost' }],
  ['Ada, Countess <a@example.com>', { name: 'Ada, Countess', address: 'a@example.com' }],
  ['"Ada \\ Byron" <a+b@example.com>', { name: 'Ada \\ Byron', address: 'a+b@example.com' }],
  ['Ünï <a@example.com>', { name: 'Ünï', address: 'a@example.com' }],
])('%j is a mailbox', (text, mailbox) => {
  expect(parseMailbox(text)).toEqual(mailbox)
})

test.each([
  '',
  'ada',
  'a@',
  '@example.com',
  'a@b@example.com',
  'a@example.com, b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'Ada\n <a@example.com>',
  'Ada <a@example.com> <b@example.com>',
  'Ada <a@exa mple.com>',
  'a@-example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b.'.repeat(200)}com`,
])('%j is not a mailbox', (text) => {
  expect(parseMailbox(text)).toBeUndefined()
})

test('a printed mailbox parses back', () => {
  const mailbox = { name: 'Ada, Countess', address: 'a@example.com' }
  expect(printMailbox(mailbox)).toBe('"Ada, Countess" <a@example.com>')
  expect(parseMailbox(printMailbox(mailbox))).toEqual(mailbox)
  expect(printMailbox({ name: '', address: 'a@example.com' })).toBe('a@example.com')
})

test('an address alone has no name', () => {
  expect(isMailAddress('a@example.com')).toBe(true)
  expect(isMailAddress('Ada <a@example.com>')).toBe(false)
})

import { expect, test } from 'vitest'
import { type Notification, parseNotification } from './notification.ts'

function parse(value: unknown): Notification {
  return parseNotification(Buffer.from(JSON.stringify(value))).parsed
}

test.each<[unknown, Partial<Notification>]>([
  [{ title: 'Hi' }, { shown: { title: 'Hi' } }],
  [{ body: 'there', image: 'https://x/y.png' }, { shown: { body: 'there', image: 'https://x/y.png' } }],
  [{ notification: { title: 'Hi', body: 'there' } }, { shown: { title: 'Hi', body: 'there' } }],
  [{ title: 'outer', notification: { title: 'inner' } }, { shown: { title: 'outer' } }],
  [{ title: 'Hi', body: '', image: null }, { shown: { title: 'Hi' } }],
  [{ data: { a: 'b' } }, { shown: {}, data: { a: 'b' } }],
  [
    { title: 'Hi', deepLink: 'app://x', badge: 3, data: { list: [1], none: null } },
    { shown: { title: 'Hi' }, data: { deepLink: 'app://x', badge: '3', list: '[1]' } },
  ],
  [
    { title: 'Hi', android: { ttl: '60s' }, fcm_options: { analytics_label: 'x' } },
    { shown: { title: 'Hi' }, platforms: { android: { ttl: '60s' }, fcm_options: { analytics_label: 'x' } } },
  ],
])('%j', (value, notification) => {
  expect(parse(value)).toEqual({ data: {}, platforms: {}, ...notification })
})

test.each<[unknown, string]>([
  [{}, 'must have a title, a body or data'],
  [{ title: '', data: {} }, 'must have a title'],
  [{ image: 'https://x/y.png' }, 'must have a title'],
  [{ android: {} }, 'must have a title'],
  [[], 'must be a JSON object'],
  ['text', 'must be a JSON object'],
  [null, 'must be a JSON object'],
  [{ title: 1 }, 'title must be a text'],
  [{ notification: 'Hi' }, 'notification must be a JSON object'],
  [{ title: 'Hi', data: [] }, 'data must be a JSON object'],
  [{ title: 'Hi', apns: 'x' }, 'apns must be a JSON object'],
  [{ title: 'Hi', from: 'x' }, 'data must not use the reserved name from'],
  [{ title: 'Hi', data: { 'google.x': 'x' } }, 'data must not use the reserved name google.x'],
  [{ title: 'x'.repeat(4096) }, 'must not exceed 4096 bytes'],
])('%j is rejected', (value, reason) => {
  expect(() => parse(value)).toThrow(reason)
})

test('text that is not JSON or not UTF-8 is rejected', () => {
  expect(() => parseNotification(Buffer.from('{'))).toThrow('is not JSON')
  expect(() => parseNotification(Buffer.from('{"title":"\xff"}', 'latin1'))).toThrow('is not UTF-8')
})

test('the text is kept unchanged', () => {
  const text = '{ "title" : "Hi" }'
  expect(parseNotification(Buffer.from(text)).text).toBe(text)
})

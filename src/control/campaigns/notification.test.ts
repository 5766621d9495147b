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
  [{}, 'has neither a title, nor a body, nor data'],
  [{ title: '', data: {} }, 'has neither'],
  [{ image: 'https://x/y.png' }, 'has neither'],
  [{ android: {} }, 'has neither'],
  [[], 'must be a JSON object'],
  ['text', 'must be a JSON object'],
  [null, 'must be a JSON object'],
  [{ title: 1 }, 'title must be a text'],
  [{ notification: 'Hi' }, 'notification must be a JSON object'],
  [{ title: 'Hi', data: [] }, 'data must be a JSON object'],
  [{ title: 'Hi', apns: 'x' }, 'apns must be a JSON object'],
  [{ title: 'Hi', from: 'x' }, 'data may not have the name from'],
  [{ title: 'Hi', data: { 'google.x': 'x' } }, 'data may not have the name google.x'],
  [{ title: 'x'.repeat(4096) }, 'is more than 4096 bytes'],
])('%j is refused', (value, reason) => {
  expect(() => parse(value)).toThrow(reason)
})

test('what is no JSON, or no UTF-8, is refused', () => {
  expect(() => parseNotification(Buffer.from('{'))).toThrow('is no JSON')
  expect(() => parseNotification(Buffer.from('{"title":"\xff"}', 'latin1'))).toThrow('is not UTF-8')
})

test('the text stays as it was given', () => {
  const text = '{ "title" : "Hi" }'
  expect(parseNotification(Buffer.from(text)).text).toBe(text)
})

import { expect, test } from 'vitest'
import { readNotification } from '../campaigns/notification.ts'
import type { Platform } from '../devices/devices.ts'
import { composeMessage, messageIdOf } from './fcm-message.ts'

const IDS = { campaign_id: 'c1', message_id: messageIdOf({ campaignId: 'c1', deviceId: 'd1' }) }

function compose(platform: Platform, notification: object): object {
  return composeMessage({
    campaignId: 'c1',
    notification: readNotification(JSON.stringify(notification)),
    target: { deviceId: 'd1', platform, token: 't' },
  })
}

test.each<[Platform, object]>([
  ['android', { android: { notification: { tag: 'c1' } } }],
  ['ios', { apns: { headers: { 'apns-collapse-id': 'c1' } } }],
  ['web', { webpush: { notification: { tag: 'c1' } } }],
])('a duplicate notification on %s replaces the first', (platform, block) => {
  expect(compose(platform, { title: 'Hi', data: { a: 'b' } })).toEqual({
    message: { token: 't', notification: { title: 'Hi' }, data: { a: 'b', ...IDS }, ...block },
  })
})

test('a data message displays nothing', () => {
  expect(compose('android', { data: { a: 'b' } })).toEqual({
    message: { token: 't', data: { a: 'b', ...IDS } },
  })
})

test('platform settings are passed on unchanged to their platform', () => {
  const android = { ttl: '60s', notification: { tag: 'mine', sound: 'x' } }
  const apns = { headers: { 'apns-priority': '5' }, payload: { aps: { badge: 1 } } }
  const notification = { title: 'Hi', android, apns, fcm_options: { analytics_label: 'l' } }
  expect(compose('android', notification)).toMatchObject({
    message: { android, fcm_options: { analytics_label: 'l' } },
  })
  expect(compose('ios', notification)).toMatchObject({
    message: { apns: { headers: { 'apns-priority': '5', 'apns-collapse-id': 'c1' }, payload: apns.payload } },
  })
  expect(compose('android', notification)).not.toHaveProperty('message.apns')
})

test('data of the campaign does not override the ids of delivery reports', () => {
  expect(compose('android', { data: { campaign_id: 'x', message_id: 'y' } })).toMatchObject({
    message: { data: IDS },
  })
})

test('each device and campaign has its own message id', () => {
  const ids = [
    messageIdOf({ campaignId: 'c1', deviceId: 'd1' }),
    messageIdOf({ campaignId: 'c1', deviceId: 'd2' }),
    messageIdOf({ campaignId: 'c2', deviceId: 'd1' }),
    messageIdOf({ campaignId: 'c1d', deviceId: '1' }),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})

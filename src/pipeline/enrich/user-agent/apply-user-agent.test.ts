import { expect, test } from 'vitest'
import { MapRow } from '../../../../test/harness/map-row.ts'
import { applyUserAgent } from './apply-user-agent.ts'

test('each property is set only where the client sent none', () => {
  const row = new MapRow([
    ['$browser', { type: 'string', value: 'Own' }],
    ['$os', { type: 'string', value: '' }],
    ['$osVersion', { type: 'double', value: 11 }],
    ['$mobile', { type: 'bool', value: true }],
  ])
  applyUserAgent(row, {
    browser: 'Chrome',
    browserVersion: '138',
    os: 'Windows',
    osVersion: '10',
    deviceType: 'desktop',
    isMobile: false,
  })
  expect(Object.fromEntries(row.properties)).toEqual({
    $browser: { type: 'string', value: 'Own' },
    $browserVersion: { type: 'string', value: '138' },
    $os: { type: 'string', value: 'Windows' },
    $osVersion: { type: 'double', value: 11 },
    $deviceType: { type: 'string', value: 'desktop' },
    $mobile: { type: 'bool', value: true },
  })
})

test('nothing is set without a user agent', () => {
  const row = new MapRow()
  applyUserAgent(row, undefined)
  applyUserAgent(row, {})
  expect(row.properties.size).toBe(0)
})

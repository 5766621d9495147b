import { expect, test } from 'vitest'
import { MapRow } from '../../../test/harness/map-row.ts'
import { applyBots, readBotHeaders } from './enrichment-headers.ts'

const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name]

test.each([
  [
    { 'cf-bot-score': '30', 'cf-verified-bot': 'true' },
    { score: 30, isVerified: true },
  ],
  [{ 'cf-bot-score': ' 1 ' }, { score: 1 }],
  [{ 'cf-bot-score': '0' }, { score: 0 }],
  [{ 'cf-verified-bot': 'FALSE' }, { isVerified: false }],
  [{ 'cf-bot-score': '-1', 'cf-verified-bot': 'yes' }, undefined],
  [{ 'cf-bot-score': '1.5' }, undefined],
  [{ 'cf-bot-score': '300' }, undefined],
  [{ 'cf-bot-score': '' }, undefined],
  [{}, undefined],
])('%j is read as %j', (headers, facts) => {
  expect(readBotHeaders(reader(headers))).toEqual(facts)
})

test('facts that the CDN does not send are not set', () => {
  const row = new MapRow()
  applyBots(row, undefined)
  applyBots(row, { isVerified: false })
  expect([...row.properties]).toEqual([['$verified_bot', { type: 'bool', value: false }]])
  applyBots(row, { score: 99 })
  expect(row.properties.get('$bot_score')).toEqual({ type: 'int', value: 99n })
})

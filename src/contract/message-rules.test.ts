import { create, fromJson } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { DashboardsServiceUpsertRequestSchema } from './gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { SubscribeRequestSchema } from './gen/sdk/devices/v1/devices_service_pb.js'
import { CreateRequestSchema } from './gen/shared/campaigns/v1/campaign_service_pb.js'
import { RecordEventRequestSchema } from './gen/shared/delivery/v1/delivery_service_pb.js'
import { QueryRequestSchema } from './gen/shared/insights/v1/insights_service_pb.js'
import { findNulCharacters, MessageRules } from './message-rules.ts'

function check(conversionWindow: string): string[] {
  const message = fromJson(QueryRequestSchema, {
    spec: { insightType: 'INSIGHT_TYPE_FUNNEL', conversionWindow },
    timeRange: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
  })
  return new MessageRules().check(QueryRequestSchema, message).map(({ field }) => field)
}

test('a value that a rule cannot count with breaks it', () => {
  expect(check('60s')).toEqual([])
  expect(check('0.5s')).toContain('spec.conversionWindow')
  expect(check('315576000000s')).toEqual([''])
})

const NUL = 'a\0b'

test('a message without the character has no violation', () => {
  const tiles = [{ content: { case: 'markdown', value: { body: 'a\u0001b\\u0000' } } } as const]
  expect(
    findNulCharacters(create(DashboardsServiceUpsertRequestSchema, { displayName: 'a', tiles })),
  ).toEqual([])
  // Bytes are no text; what a service reads out of them is its own affair.
  const notificationData = new Uint8Array([0, 1])
  expect(findNulCharacters(create(CreateRequestSchema, { name: 'a', notificationData }))).toEqual([])
})

test.each([
  [
    'a field and one of a oneof in a list',
    create(DashboardsServiceUpsertRequestSchema, {
      description: NUL,
      tiles: [{ displayName: 'a' }, { content: { case: 'markdown', value: { body: NUL } } }],
    }),
    ['description', 'tiles[1].markdown.body'],
  ],
  [
    'values and keys of a map',
    create(RecordEventRequestSchema, { metadata: { a: NUL, [NUL]: 'b' } }),
    ['metadata.a', 'metadata'],
  ],
  [
    'plain JSON',
    create(SubscribeRequestSchema, { properties: { a: { b: ['c', NUL] } } }),
    ['properties.a.b[1]'],
  ],
])('%s is named', (_, message, fields) => {
  expect(findNulCharacters(message).map(({ field }) => field)).toEqual(fields)
})

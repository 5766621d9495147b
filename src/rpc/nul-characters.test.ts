import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { DashboardsServiceUpsertRequestSchema } from '../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { SubscribeRequestSchema } from '../contract/gen/sdk/devices/v1/devices_service_pb.js'
import { CreateRequestSchema } from '../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import { RecordEventRequestSchema } from '../contract/gen/shared/delivery/v1/delivery_service_pb.js'
import { findNulCharacters } from './nul-characters.ts'

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

import { fromBinary, fromJsonString, toJson } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { BatchCreateResponseSchema } from '../contract/gen/sdk/events/v1/events_service_pb.js'
import { encodeBatchCreateResponse } from './batch-create-response.ts'

test.each([
  [{ accepted: 0 }, {}],
  [{ accepted: 1000 }, { accepted: 1000 }],
  [
    { accepted: 0, droppedByReason: { salt_unavailable: 300 } },
    { dropped: 300, droppedByReason: { salt_unavailable: 300 } },
  ],
  [
    { accepted: 7, droppedByReason: { day_out_of_range: 2, salt_corrupt: 1 } },
    { accepted: 7, dropped: 3, droppedByReason: { day_out_of_range: 2, salt_corrupt: 1 } },
  ],
] as const)('%j reads back in both codecs', (result, json) => {
  const schema = BatchCreateResponseSchema
  expect(toJson(schema, fromJsonString(schema, String(encodeBatchCreateResponse('json', result))))).toEqual(
    json,
  )
  const bytes = Uint8Array.from(Buffer.from(encodeBatchCreateResponse('proto', result)))
  expect(toJson(schema, fromBinary(schema, bytes))).toEqual(json)
})

import { create } from '@bufbuild/protobuf'
import { CampaignSchema } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { expect, test } from 'vitest'
import { putKept } from './kept-rows.ts'

const campaign = (id: string, status: string) =>
  create(CampaignSchema, { id, status, notificationData: new Uint8Array([1, 2]) })

test('rows that did not change stay the same objects, in the order of the new list', () => {
  const before = [campaign('a', 'scheduled'), campaign('b', 'scheduled')]
  const rows = [campaign('c', 'scheduled'), campaign('b', 'scheduled'), campaign('a', 'complete')]
  const kept = putKept(CampaignSchema, { before, rows })
  expect(kept).toEqual(rows)
  expect(kept.map((row) => before.includes(row))).toEqual([false, true, false])
})

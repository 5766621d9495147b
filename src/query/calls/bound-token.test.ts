import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { SegmentUsersRequestSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { encodeBoundToken, type PagedRequest, parseBoundToken } from './bound-token.ts'

type Fields = Exclude<MessageInitShape<typeof SegmentUsersRequestSchema>, { $typeName: string }>

const QUESTION = {
  timeRange: { from: timestampFromMs(0), to: timestampFromMs(1000) },
  events: [{ event: { kind: 'buy' } }],
}

function paged(fields: Fields = {}, projectId = 1): PagedRequest<typeof SegmentUsersRequestSchema> {
  const request = create(SegmentUsersRequestSchema, { ...QUESTION, ...fields })
  return { schema: SegmentUsersRequestSchema, request, projectId: asProjectId(projectId) }
}

const TOKEN = encodeBoundToken(paged(), 'anna')

test('no token is the first page', () => {
  expect(parseBoundToken(paged())).toBeUndefined()
})

test.each(['anna', 'ünï-\u{1f600}', '\ufeffmark', 'a\u0000b', ''])('a token round-trips the id %j', (id) => {
  const pageToken = encodeBoundToken(paged(), id)
  expect(parseBoundToken(paged({ pageToken }))).toBe(id)
})

test('the page size may change between pages', () => {
  expect(parseBoundToken(paged({ pageToken: TOKEN, pageSize: 7 }))).toBe('anna')
})

test.each<[what: string, other: ReturnType<typeof paged>]>([
  ['another project', paged({ pageToken: TOKEN }, 2)],
  ['another event', paged({ pageToken: TOKEN, events: [{ event: { kind: 'view' } }] })],
  ['another range', paged({ pageToken: TOKEN, timeRange: { from: timestampFromMs(0) } })],
  ['another filter', paged({ pageToken: TOKEN, filterGroups: [{ filters: [{ property: 'a' }] }] })],
  ['a text that is not a token', paged({ pageToken: 'made up' })],
  ['a truncated token', paged({ pageToken: TOKEN.slice(0, 20) })],
])('%s is rejected', (_, other) => {
  expect(() => parseBoundToken(other)).toThrow('pageToken: was not issued')
})

test('an id that is not UTF-8 is rejected', () => {
  const bytes = Buffer.concat([Buffer.from(TOKEN, 'base64url').subarray(0, 16), Buffer.from([0xff])])
  expect(() => parseBoundToken(paged({ pageToken: bytes.toString('base64url') }))).toThrow('pageToken')
})

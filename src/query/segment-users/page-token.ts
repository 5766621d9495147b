import { createHash } from 'node:crypto'
import { toBinary } from '@bufbuild/protobuf'
import {
  type SegmentUsersRequest,
  SegmentUsersRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { invalid } from '../../domain/insights/invalid.ts'

/** The part of a users request that a page token is bound to. */
export interface PagedRequest {
  readonly request: SegmentUsersRequest
  readonly projectId: ProjectId
}

const DIGEST_BYTES = 16

/** Encodes the last id of a page as opaque text, which clients send back with the same request. */
export function encodeUserToken(paged: PagedRequest, lastId: string): string {
  return Buffer.concat([digestOf(paged), Buffer.from(lastId)]).toString('base64url')
}

/** The last id of the previous page; `undefined` for the first page. Throws `invalid_argument`. */
export function parseUserToken(paged: PagedRequest): string | undefined {
  const { pageToken } = paged.request
  if (pageToken === '') return undefined
  const bytes = Buffer.from(pageToken, 'base64url')
  if (!bytes.subarray(0, DIGEST_BYTES).equals(digestOf(paged))) throw notIssuedHere()
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(DIGEST_BYTES))
  } catch {
    throw notIssuedHere()
  }
}

/** Hash input of the request, independent of the page size: a token is only valid for the query that issued it. */
function digestOf({ request, projectId }: PagedRequest): Buffer {
  const query = { ...request, pageSize: 0, pageToken: '' }
  return createHash('sha256')
    .update(`${projectId}\n`)
    .update(toBinary(SegmentUsersRequestSchema, query, { writeUnknownFields: false }))
    .digest()
    .subarray(0, DIGEST_BYTES)
}

function notIssuedHere(): Error {
  return invalid(
    'pageToken',
    'was not issued for this request; start again from the first page',
    'INVALID_PAGE_TOKEN',
  )
}

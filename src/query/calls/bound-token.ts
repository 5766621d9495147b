import { createHash } from 'node:crypto'
import { type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf'
import type { ProjectId } from '../../contract/ids.ts'
import { invalid } from '../../domain/insights/invalid.ts'

/** A request for a page of a list. */
interface ListRequest {
  readonly pageSize: number
  readonly pageToken: string
}

/** The part of a request that a page token is bound to. */
export interface PagedRequest<Schema extends DescMessage> {
  readonly schema: Schema
  /** Maps of the message have their entries in one order, regardless of the order that a client sends. */
  readonly request: MessageShape<Schema> & ListRequest
  readonly projectId: ProjectId
}

const DIGEST_BYTES = 16

/** Encodes the position after a page, such as its last id, as opaque text that clients send back with the same request. */
export function encodeBoundToken<Schema extends DescMessage>(
  paged: PagedRequest<Schema>,
  position: string,
): string {
  return Buffer.concat([digestOf(paged), Buffer.from(position)]).toString('base64url')
}

/** The position after the previous page; `undefined` for the first page. Throws `invalid_argument`. */
export function parseBoundToken<Schema extends DescMessage>(paged: PagedRequest<Schema>): string | undefined {
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
function digestOf<Schema extends DescMessage>({ schema, request, projectId }: PagedRequest<Schema>): Buffer {
  const query = { ...request, pageSize: 0, pageToken: '' }
  return createHash('sha256')
    .update(`${projectId}\n`)
    .update(toBinary(schema, query, { writeUnknownFields: false }))
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

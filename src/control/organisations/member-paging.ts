import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { MemberPage, MemberPosition } from '../../store/catalog/member-pages.ts'

/** A page of a list of members, and the token of the next one; empty on the last page. */
export interface PagedMembers<Member> {
  readonly members: readonly Member[]
  readonly nextPageToken: string
}

/** Members on a page that a caller does not size. */
const PAGE_SIZE = 1000

/** The page that a request asks for, with one member more, which shows whether there is a next page. Throws `invalid_argument`. */
export function parseMemberPage(request: {
  readonly pageSize: number
  readonly pageToken: string
  readonly search: string
}): MemberPage {
  const { pageSize, pageToken, search } = request
  const count = (pageSize === 0 ? PAGE_SIZE : pageSize) + 1
  return { count, search, after: pageToken === '' ? undefined : parseToken(pageToken) }
}

function parseToken(token: string): MemberPosition {
  const [joinedMs, customerId, ...rest] = decodePageToken(token)
  if (
    typeof joinedMs !== 'number' ||
    !Number.isSafeInteger(joinedMs) ||
    typeof customerId !== 'string' ||
    rest.length > 0
  )
    throw invalidPageToken()
  return { joinedMs, customerId }
}

/** The page of rows that were read for it, without the one too many. */
export function toPage<Member extends MemberPosition>(
  rows: readonly Member[],
  { count }: MemberPage,
): PagedMembers<Member> {
  const members = rows.slice(0, count - 1)
  const last = rows.length > members.length ? members.at(-1) : undefined
  return { members, nextPageToken: last ? encodePageToken([last.joinedMs, last.customerId]) : '' }
}

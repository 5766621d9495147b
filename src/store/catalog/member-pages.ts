import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The position of a member in the order of joining. */
export interface MemberPosition {
  readonly joinedMs: number
  readonly customerId: string
}

/** Which page of members to list. */
export interface MemberPage {
  /** The first page without it. */
  readonly after?: MemberPosition | undefined
  /** Only members with this text in name or address; empty for all. */
  readonly search?: string | undefined
  readonly count: number
}

/** The condition that a row of `memberships` comes after a position. */
export function isAfter({ joinedMs, customerId }: MemberPosition): RawBuilder<SqlBool> {
  return sql`(memberships.created_ms, memberships.customer_id) > (${joinedMs}, ${customerId})`
}

/** The condition that a row of `customers` has a text in name or address, ASCII letters in any case. */
export function hasText(search: string): RawBuilder<SqlBool> {
  const pattern = `%${search.replace(/[%_\\]/g, String.raw`\$&`)}%`
  return sql`(lower(customers.email) LIKE lower(${pattern}) ESCAPE '\\' OR lower(customers.display_name) LIKE lower(${pattern}) ESCAPE '\\')`
}

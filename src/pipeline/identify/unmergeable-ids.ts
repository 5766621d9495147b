/**
 * External ids that a client sends when it has none: many people would become one. Such an id makes a profile like any
 * other, but nobody's anonymous activity is merged into it. Compared in lower case.
 */
const UNMERGEABLE: ReadonlySet<string> = new Set([
  '',
  '""',
  "''",
  '-1',
  '0',
  '[object object]',
  'anon',
  'anonymous',
  'default',
  'distinct_id',
  'distinctid',
  'email',
  'external_id',
  'externalid',
  'false',
  'guest',
  'id',
  'nan',
  'nil',
  'none',
  'not_authenticated',
  'null',
  'test',
  'true',
  'undefined',
  'unknown',
  'user',
  'user_id',
  'userid',
  '{}',
  '[]',
])

/** Whether an external id cannot be one person's. */
export function isUnmergeable(externalId: string): boolean {
  return UNMERGEABLE.has(externalId.trim().toLowerCase())
}

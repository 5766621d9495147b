/** What a personal access token allows, the least first: each scope includes those before. */
const TOKEN_SCOPES = ['read', 'write', 'admin'] as const

/** The scope of a personal access token. */
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** Whether a scope includes the needed one. */
export function isScopeEnough({
  scope,
  needed,
}: {
  readonly scope: TokenScope
  readonly needed: TokenScope
}): boolean {
  return TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(needed)
}

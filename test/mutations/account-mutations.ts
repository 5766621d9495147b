import type { Mutation } from './plant.ts'

const ASSISTANT = 'assistants/oauth-endpoint.test.ts'
const TOKEN = 'access/personal-tokens.test.ts'
const PASSKEY = 'account/passkeys.test.ts'
const FACTOR = 'auth/second-factor-step.test.ts'

/** Defects of what acts for a member: assistants, personal access tokens, passkeys and codes. */
export const ACCOUNT_MUTATIONS: readonly Mutation[] = [
  {
    breaks: 'assistant: its token counts in every method',
    search: "if (isAssistantToken(text) && audience !== 'mcp') throw notForThisResource()",
    replace: '',
    tests: [TOKEN],
  },
  {
    breaks: 'assistant: a token is for any resource that is asked for',
    search: 'if (named !== resource)',
    replace: "if (named === '')",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a request needs no PKCE',
    search: 'pkce: { required: () => true }',
    replace: 'pkce: { required: () => false }',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: of two requests at once with one code both get tokens',
    search: ".where('consumed_ms', '=', 0)\n        .executeTakeFirst()\n      if (numUpdatedRows",
    replace: '.executeTakeFirst()\n      if (numUpdatedRows',
    tests: ['assistants/oauth-records.test.ts'],
  },
  {
    breaks: 'assistant: a stolen code that comes second leaves the connection',
    search: 'if (grantId !== undefined) await endGrant(grantId)\n',
    replace: '\n',
    tests: ['assistants/oauth-records.test.ts'],
  },
  {
    breaks: 'assistant: a consent that ended meanwhile gets a token',
    search: '  if (!row) return false\n  const isToken',
    replace: '  if (!row) return true\n  const isToken',
    tests: ['assistants/oauth-records.test.ts'],
  },
  {
    breaks: 'assistant: a connection lasts as long as its first token',
    search: 'if (isToken && expiresMs > row.expires_ms)',
    replace: 'if (isToken && row.expires_ms === 0)',
    tests: ['assistants/oauth-records.test.ts'],
  },
  {
    breaks: 'assistant: a code counts as a token',
    search: "      .where('sha256', '=', digestOf(id))\n      .where('kind', '=', kind)\n",
    replace: "      .where('sha256', '=', digestOf(id))\n",
    tests: ['assistants/oauth-records.test.ts'],
  },
  {
    breaks: 'assistant: a connection whose token it revokes stays',
    search: 'revokeGrantPolicy: () => true',
    replace: 'revokeGrantPolicy: () => false',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: it revokes the tokens of another one',
    search: 'allowedPolicy: (_, client, token) => token.clientId === client.clientId',
    replace: 'allowedPolicy: () => true',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a consent counts in the browser of an attacker',
    search:
      "const isOwn = context.cookies.get(provider.cookieName('resume'), { signed: true }) === requestId",
    replace: "const isOwn = requestId !== ''",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: the answer to one request counts for another',
    search: 'return `assistant-consent/${requestId}`',
    replace: "return `assistant-consent/${requestId === ''}`",
    tests: ['assistants/consent-ticket.test.ts'],
  },
  {
    breaks: 'assistant: an answer counts for ever',
    search: 'return clock.nowMs() < expiresMs ? answer : undefined',
    replace: 'return expiresMs > 0 ? answer : undefined',
    tests: ['assistants/consent-ticket.test.ts'],
  },
  {
    breaks: 'assistant: a request is answered after its time',
    search: "    .where('kind', '=', 'Interaction')\n    .where('expires_ms', '>', clock.nowMs())\n",
    replace: "    .where('kind', '=', 'Interaction')\n",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a member gives more than it asks for',
    search: "if (scope === 'write' && asked === 'read')",
    replace: "if (scope === 'write' && asked === '')",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a consent to read gives a token that writes',
    search: "const scope = grant.scope === 'write' ? 'read write' : 'read'",
    replace: "const scope = 'read write'",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a token writes without the consent',
    search: "const isWriting = row.scope === 'write' && typeof asked",
    replace: 'const isWriting = typeof asked',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a token that it asked to read writes',
    search: "typeof asked === 'string' && asked.split(' ').includes('write')",
    replace: "typeof asked === 'string'",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a member connects it to a project of others',
    search:
      ".select('project_roles.role as of_project')\n    .where('memberships.customer_id', '=', customerId)\n",
    replace: ".select('project_roles.role as of_project')\n",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a member connects it to a project that is closed to them',
    search:
      '    .filter(({ role, of_project }) =>\n      opensProject(roleInProject({ inOrganisation: role, ofProject: of_project })),\n    )\n',
    replace: '',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a stolen session connects one',
    search: 'await requireRecentProof(ports, session)',
    replace: '',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a member without the second factor that is required connects one',
    search: 'if (found.isSecondFactorRequired && !(await hasSecondFactor(catalog, customerId)))',
    replace: 'if (false as boolean)',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: an account connects any number',
    search: 'if (grants.length >= GRANTS_PER_ACCOUNT_MAX) throw tooManyAssistants()',
    replace: '',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a member disconnects that of another one',
    search:
      ".deleteFrom('oauth_grants')\n    .where('id', '=', id)\n    .where('customer_id', '=', customerId)",
    replace: ".deleteFrom('oauth_grants')\n    .where('id', '=', id)",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: it stays connected after its member has left',
    search: 'await endGrantsOfMember(catalog, key)',
    replace: '',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: it stays connected after the groups of a provider removed its member',
    search:
      'await endGrantsOfMember(transaction, { customerId, organisationId: asOrganisationId(organisationId) })\n',
    replace: '\n',
    tests: ['auth/provider-sign-in.test.ts'],
  },
  {
    breaks: 'assistant: that of an inviter outlives the proof of the address',
    search: 'await endGrantsOf(transaction, id)',
    replace: '',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: tokens of a connection that ended are remembered',
    search: '    forgetTokens()\n',
    replace: '\n',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: connected ones count where assistants may not connect',
    search: "if (isAssistant && assistants === 'off') throw unknownAccessToken()",
    replace: '',
    tests: [TOKEN],
  },
  {
    breaks: 'assistant: registrations are not limited',
    search: 'await limits.registrationsOfNetwork.take(network)',
    replace: 'await Promise.resolve()',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: requests are not limited',
    search: 'await limits.requestsOfNetwork.take(network)',
    replace: 'await Promise.resolve()',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a client chooses the host of all URLs',
    search: "request.headers['x-forwarded-host'] = host",
    replace: "request.headers['x-forwarded-host'] ??= host",
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: a name reads backwards',
    search: ".replaceAll(/[\\p{C}\\p{Zl}\\p{Zp}]/gu, '')\n    .replaceAll(/\\s+/g",
    replace: '.replaceAll(/\\s+/g',
    tests: [ASSISTANT],
  },
  {
    breaks: 'assistant: an address has a user name that looks like a host',
    search: "if (username !== '' || password !== '') return false",
    replace: '',
    tests: ['assistants/oauth-clients.test.ts'],
  },
  {
    breaks: 'assistant: an address that runs a script gets a code',
    search: 'if (FOREIGN_SCHEMES.has(scheme) || SYSTEM_SCHEME.test(scheme)) return false',
    replace: '',
    tests: ['assistants/oauth-clients.test.ts'],
  },
  {
    breaks: 'assistant: an address of another machine gets a code over http',
    search: "if (protocol === 'http:') return LOOPBACKS.has(hostname)",
    replace: "if (protocol === 'http:') return true",
    tests: ['assistants/oauth-clients.test.ts'],
  },
  {
    breaks: 'assistant: an address has a fragment, or characters that parsers drop',
    search: '!REDIRECT_URI.test(uri) || ',
    replace: '',
    tests: ['assistants/oauth-clients.test.ts'],
  },
  {
    breaks: 'assistant: what waits for a sign-in leads to another page',
    search: "typeof id === 'string' && REQUEST_ID.test(id),",
    replace: "typeof id === 'string',",
    tests: ['pages/waiting-request.test.ts'],
  },
  {
    breaks: 'token: it counts after its expiry while it is remembered',
    search: 'if (this.#ports.clock.nowMs() >= token.expiresMs) throw tokenExpired()',
    replace: '',
    tests: [TOKEN],
  },
  {
    breaks: 'token: it sends events after its expiry',
    search: "limits: { of: 'token', expiresMs: token.expiresMs, addresses: undefined }",
    replace: "limits: { of: 'token', expiresMs: undefined, addresses: undefined }",
    tests: [TOKEN],
  },
  {
    breaks: 'token: one that reads sends events',
    search: "if (!isScopeEnough({ scope: token.scope, needed: 'write' }))",
    replace: 'if (false as boolean)',
    tests: [TOKEN],
  },
  {
    breaks: 'token: it calls after its owner was removed from the organisation',
    search: 'if (role === undefined) throw notAMember()\n    if (!opensProject(role))',
    replace: 'if (role !== undefined && !opensProject(role))',
    tests: [TOKEN],
  },
  {
    breaks: 'token: it sends events to a project that is closed to its owner',
    search: "if (!opensProject(role)) return { kind: 'refused', refusal: ownerWithoutAccess() }",
    replace: '',
    tests: [TOKEN],
  },
  {
    breaks: 'token: it calls without the second factor that the organisation requires',
    search:
      'if (project.isSecondFactorRequired && !project.hasSecondFactor) throw ownerWithoutSecondFactor()',
    replace: '',
    tests: [TOKEN],
  },
  {
    breaks: 'token: it sends events without the second factor that the organisation requires',
    search: 'if (row.second_factor_required === 1 && row.has_factor === 0)',
    replace: 'if (false as boolean)',
    tests: [TOKEN],
  },
  {
    breaks: 'token: a member revokes that of another one',
    search:
      ".deleteFrom('personal_tokens')\n    .where('id', '=', id)\n    .where('customer_id', '=', customerId)",
    replace: ".deleteFrom('personal_tokens')\n    .where('id', '=', id)",
    tests: ['account/tokens-service.test.ts'],
  },
  {
    breaks: 'token: a stolen session creates one',
    search: 'await requireRecentProof({ catalog, clock }, session)\n      const scope',
    replace: 'const scope',
    tests: ['account/tokens-service.test.ts'],
  },
  {
    breaks: 'passkey: the response of a page of another origin counts',
    search:
      'expectedOrigin: relyingParty.origin,\n    expectedRPID: relyingParty.id,\n    requireUserVerification: false,\n    credential: {',
    replace:
      "expectedOrigin: [relyingParty.origin, 'https://analytics.example.com'],\n    expectedRPID: relyingParty.id,\n    requireUserVerification: false,\n    credential: {",
    tests: ['auth/passkey-step.test.ts'],
  },
  {
    breaks: 'passkey: a response for another host counts',
    search: 'expectedRPID: relyingParty.id,\n    requireUserVerification: false,\n    credential: {',
    replace:
      "expectedRPID: [relyingParty.id, 'example.com'],\n    requireUserVerification: false,\n    credential: {",
    tests: ['auth/passkey-step.test.ts'],
  },
  {
    breaks: 'passkey: one that a page of another origin created is added',
    search:
      'expectedOrigin: relyingParty.origin,\n    expectedRPID: relyingParty.id,\n    requireUserVerification: false,\n    supportedAlgorithmIDs',
    replace:
      'expectedOrigin: JSON.parse(Buffer.from(response.response.clientDataJSON, "base64url").toString()).origin,\n    expectedRPID: relyingParty.id,\n    requireUserVerification: false,\n    supportedAlgorithmIDs',
    tests: [PASSKEY],
  },
  {
    breaks: 'passkey: that of another account counts',
    search: ".selectFrom('passkeys')\n    .selectAll()\n    .where('customer_id', '=', customerId)\n",
    replace: ".selectFrom('passkeys')\n    .selectAll()\n",
    tests: ['auth/passkey-step.test.ts'],
  },
  {
    breaks: 'passkey: the response to one registration adds two',
    search: '): Promise<void> {\n  if (!(await useChallenge(ports, challenge))) throw invalidPasskey()\n}',
    replace: '): Promise<void> {\n  await useChallenge(ports, challenge)\n}',
    tests: [PASSKEY],
  },
  {
    breaks: 'second factor: a code counts two steps before its time',
    search: 'const STEPS_OFF_MAX = 1',
    replace: 'const STEPS_OFF_MAX = 2',
    tests: [FACTOR],
  },
  {
    breaks: 'second factor: the code of the set-up signs in',
    search: 'last_step: step,\n    created_ms',
    replace: 'last_step: 0,\n    created_ms',
    tests: [FACTOR],
  },
  {
    breaks: 'second factor: a proof counts as long as the session',
    search: 'if (clock.nowMs() - (await findProof(catalog, session)) > PROOF_MS) throw proofRequired()',
    replace: 'if ((await findProof(catalog, session)) === 0) throw proofRequired()',
    tests: [PASSKEY],
  },
  {
    breaks: 'second factor: a proof counts in all sessions of the account',
    search: ".select('factor_ms')\n    .where('id', '=', sessionId)\n",
    replace: ".select('factor_ms')\n    .orderBy('factor_ms', 'desc')\n",
    tests: [PASSKEY],
  },
]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOrganisationId, asProjectId } from '../../src/contract/ids.ts'
import type { TokenScope } from '../../src/contract/token-scope.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { generateApiKey, insertApiKey } from '../../src/store/catalog/api-keys.ts'
import { type Catalog, openCatalog } from '../../src/store/catalog/catalog.ts'
import { generateToken, insertToken } from '../../src/store/catalog/personal-tokens.ts'
import { VENDORS } from '../dialects/vendors.ts'
import { addMember } from '../harness/console-callers.ts'
import { makeEvent } from '../harness/events.ts'
import { runMillrace, TestService } from '../harness/service.ts'
import { exploreAll, ingestOne } from './first-calls.ts'
import { WIRES } from './wires.ts'

const HOME = '203.0.113.7'
const ELSEWHERE = '198.51.100.7'

let service: TestService
let catalog: Catalog

beforeAll(async () => {
  service = await TestService.start()
  catalog = openCatalog(service)
})

afterAll(async () => {
  await catalog?.destroy()
  await service?.destroy()
})

/** A key of the first project with limits. */
async function addKey(
  kind: 'public' | 'private',
  limits: { readonly expiresMs?: number; readonly allowedAddresses?: readonly string[] },
): Promise<string> {
  const text = generateApiKey(kind)
  await insertApiKey(catalog, systemClock, {
    projectId: asProjectId(1),
    kind,
    displayName: '',
    text,
    expiresMs: limits.expiresMs,
    allowedAddresses: limits.allowedAddresses ?? [],
  })
  return text
}

test.each(WIRES.map((wire) => [wire.title, wire] as const))(
  '%s refuses keys beyond their limits',
  async (_, wire) => {
    const ofHome = await addKey('private', { allowedAddresses: ['203.0.113.0/24'] })
    const expired = await addKey('private', { expiresMs: systemClock.nowMs() - 1 })
    const client = wire.open(service.url, 'identity')
    const outcome = async (call: ReturnType<typeof ingestOne>, key: string, address: string) => {
      const header = { ...call.header, 'x-api-key': key, 'x-forwarded-for': address }
      const { code, reason, message } = await client.call({ ...call, header })
      return code === 'ok' ? code : `${code} ${reason}: ${message}`
    }
    const foreign =
      `permission_denied ADDRESS_NOT_ALLOWED: the API key does not work from the address ${ELSEWHERE}; ` +
      'an admin of the organisation can allow it'
    const over = 'unauthenticated API_KEY_EXPIRED: the API key has expired; use a newer one'
    for (const call of [ingestOne, exploreAll]) {
      // The first call looks the key up, the second finds it in the cache.
      expect(await outcome(call(), ofHome, ELSEWHERE)).toBe(foreign)
      expect(await outcome(call(), ofHome, ELSEWHERE)).toBe(foreign)
      expect(await outcome(call(), ofHome, HOME)).toBe('ok')
      // What a client claims counts less than the last proxy's entry.
      expect(await outcome(call(), ofHome, `${HOME}, ${ELSEWHERE}`)).toBe(foreign)
      expect(await outcome(call(), expired, HOME)).toBe(over)
      expect(await outcome(call(), expired, HOME)).toBe(over)
    }
    client.close()
  },
)

test.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))(
  'SDKs of %s get the refusal in their form',
  async (_, vendor) => {
    const ofHome = await addKey('public', { allowedAddresses: [HOME] })
    const expired = await addKey('public', { expiresMs: systemClock.nowMs() - 1 })
    const send = async (key: string, address: string) => {
      const response = await fetch(new URL(vendor.path(key), service.url), {
        method: 'POST',
        body: vendor.body(key, [vendor.event('limited', {})]),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
          'x-forwarded-for': address,
          ...vendor.headers?.(key),
        },
      })
      return { status: response.status, text: await response.text() }
    }
    for (const [key, address, words] of [
      [ofHome, ELSEWHERE, `does not work from the address ${ELSEWHERE}`],
      [ofHome, ELSEWHERE, `does not work from the address ${ELSEWHERE}`],
      [expired, HOME, 'has expired'],
    ] as const) {
      const { status, text } = await send(key, address)
      expect([400, 401, 403]).toContain(status)
      expect(text).toContain(words)
      const body: unknown = text.startsWith('{') ? JSON.parse(text) : text
      expect({ body }).toMatchObject({ body: vendor.refusal })
    }
    expect((await send(ofHome, HOME)).status).toBeLessThan(300)
  },
)

/** A token of a member of the first organisation, for all of its projects or one. */
async function addOwnToken(scope: TokenScope, projectIds: readonly number[] = [1]): Promise<string> {
  const { organisation_id } = await catalog
    .selectFrom('projects')
    .select('organisation_id')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const customerId = await addMember(catalog, {
    organisationId: asOrganisationId(organisation_id),
    email: `${crypto.randomUUID()}@example.org`,
    role: 'member',
  })
  const text = generateToken()
  await insertToken(catalog, systemClock, {
    ...{ customerId, displayName: '', scope, text, projectIds: projectIds.map(asProjectId) },
    expiresMs: systemClock.nowMs() + 3_600_000,
  })
  return text
}

test.each(WIRES.map((wire) => [wire.title, wire] as const))(
  '%s takes personal access tokens',
  async (_, wire) => {
    const client = wire.open(service.url, 'identity')
    const outcome = async (call: ReturnType<typeof ingestOne>, header: Readonly<Record<string, string>>) => {
      const { code, reason } = await client.call({ ...call, header })
      return code === 'ok' ? code : `${code} ${reason}`
    }
    const writing = { 'x-api-key': await addOwnToken('write') }
    const reading = { 'x-api-key': await addOwnToken('read') }
    const several = { 'x-api-key': await addOwnToken('write', []) }
    for (const [call, ofReading] of [
      [ingestOne, 'permission_denied TOKEN_SCOPE_TOO_LOW'],
      [exploreAll, 'ok'],
    ] as const) {
      expect(await outcome(call(), writing)).toBe('ok')
      expect(await outcome(call(), writing)).toBe('ok')
      expect(await outcome(call(), reading)).toBe(ofReading)
      expect(await outcome(call(), several)).toBe('invalid_argument TOKEN_PROJECT_REQUIRED')
      expect(await outcome(call(), { ...several, 'x-project-id': '1' })).toBe('ok')
      expect(await outcome(call(), { ...several, 'x-project-id': '999999' })).toBe(
        'not_found PROJECT_NOT_FOUND',
      )
      expect(await outcome(call(), { 'x-api-key': generateToken() })).toBe('unauthenticated INVALID_TOKEN')
    }
    client.close()
  },
)

test('an assistant calls a tool with a token as its bearer token', async () => {
  const call = async (token: string) => {
    const response = await fetch(new URL('/mcp', service.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'get_insights_filter_schema', arguments: {} },
      }),
    })
    return { status: response.status, body: await response.json() }
  }
  const answered = await call(await addOwnToken('read'))
  expect(answered).toMatchObject({ status: 200, body: { result: { structuredContent: expect.anything() } } })
  expect((answered.body as { result: { isError?: boolean } }).result.isError).toBeUndefined()
  expect(await call(generateToken())).toMatchObject({
    status: 401,
    body: { error: { data: { reason: 'INVALID_TOKEN' } } },
  })
})

test('the import command takes a token, in the project that it names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-'))
  const file = join(folder, 'events.jsonl')
  writeFileSync(file, `${JSON.stringify(makeEvent())}\n`)
  const run = async (...words: readonly string[]) =>
    await runMillrace(['import', file, '--url', service.url, ...words], service.environment)
  try {
    const several = await addOwnToken('write', [])
    expect(await run('--key', several, '--project', '1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 accepted'),
    })
    expect(await run('--key', several)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'the service rejected the project: the header x-project-id is required',
      ),
    })
    expect(await run('--key', await addOwnToken('read'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('needs a personal access token with the scope write'),
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

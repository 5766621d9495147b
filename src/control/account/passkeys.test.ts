import { generateKeyPairSync } from 'node:crypto'
import type { Client } from '@connectrpc/connect'
import { beforeEach, describe, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { type Alterations, SoftPasskey } from '../../../test/harness/soft-passkey.ts'
import { codeAt } from '../../../test/harness/totp-codes.ts'
import { SecondFactorsService } from '../../contract/gen/millrace/account/v1/second_factors_service_pb.js'
import type { CustomerId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { openCatalog } from '../../store/catalog/catalog.ts'
import { createSignInLimits } from '../auth/auth-ports.ts'
import { PasswordHasher } from '../auth/password-hasher.ts'
import { beginSession, type RefreshSession } from '../customers/refresh-sessions.ts'
import { relyingPartyOf } from '../factors/relying-party.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import type { SecondFactorsPorts } from './prove-second-factor.ts'
import { createSecondFactorsService } from './second-factors-service.ts'

const ORIGIN = 'https://analytics.example.org'
const PASSWORD = 'correct horse'
const MINUTE_MS = 60_000
const INVALID = ['InvalidArgument', 'PASSKEY_INVALID']
const COPIED = ['InvalidArgument', 'PASSKEY_COPIED']
const PROVE_FIRST = ['FailedPrecondition', 'SECOND_FACTOR_PROOF_REQUIRED']
const SIGN_IN_AGAIN = ['FailedPrecondition', 'REAUTHENTICATION_REQUIRED']
const UNKNOWN = ['NotFound', 'PASSKEY_NOT_FOUND']
const LAPTOP = { displayName: 'Laptop' }

/** Reads like a hash, and takes no time. */
const passwords = new PasswordHasher({
  functions: {
    hash: async (password) => `hash of ${password}`,
    verify: async (hashed, password) => hashed === `hash of ${password}`,
  },
})

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const NO_USER = 'no user at the authenticator'

/** Forgeries of a response that is right in everything else. */
const FORGERIES: readonly (readonly [string, Alterations])[] = [
  ['another origin', { origin: 'https://analytics.example.com' }],
  ['a subdomain', { origin: `https://x.${new URL(ORIGIN).host}` }],
  ['plain http', { origin: ORIGIN.replace('https', 'http') }],
  ['another host in the signature', { rpId: 'example.org' }],
  ['another challenge', { challenge: Buffer.alloc(60).toString('base64url') }],
  [NO_USER, { flags: 0x40 }],
]

describeCatalog('the passkeys of an account', (under) => {
  let nowMs: number
  let alice: CustomerId
  let session: RefreshSession
  let ports: SecondFactorsPorts
  let passkey: SoftPasskey
  let mails: unknown[]
  const clock = { nowMs: () => nowMs }
  const begin = async (customerId = alice): Promise<RefreshSession> =>
    await beginSession(
      { catalog: under.catalog, clock, key: Buffer.alloc(32, 1) },
      { customerId, method: 'password' },
    )
  const factorOf = (caller = session, own = ports): Client<typeof SecondFactorsService> =>
    clientOf(SecondFactorsService, createSecondFactorsService(own), caller)
  const add = async (added = passkey, caller = session) => {
    const { options } = await factorOf(caller).startPasskey({})
    return await factorOf(caller).confirmPasskey({ ...LAPTOP, passkey: added.create(options) })
  }
  const respond = async (altered: Alterations = {}, caller = session): Promise<string> =>
    passkey.get((await factorOf(caller).startProof({})).options, altered)
  const prove = async (response: string, caller = session): Promise<unknown> =>
    await refusalOf(factorOf(caller).prove({ passkey: response }))
  const addBob = async (): Promise<RefreshSession> =>
    await begin(await addCustomer(under.catalog, 'bob@example.org'))

  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    const { catalog } = under
    const limits = createSignInLimits({ catalog, clock, key: Buffer.alloc(32, 2) })
    const { currentPasswords: attempts, codesOfSession: codes } = limits
    const sealer = new Sealer(Buffer.alloc(32, 5))
    mails = []
    const sendMail = async ({ to, subject }: Mail): Promise<void> => void mails.push([to, subject])
    const relyingParty = relyingPartyOf(ORIGIN)
    ports = { catalog, clock, sealer, passwords, attempts, codes, relyingParty, sendMail }
    alice = await addCustomer(catalog, 'alice@example.org')
    await catalog
      .updateTable('customers')
      .set({ password_hash: `hash of ${PASSWORD}` })
      .execute()
    session = await begin()
    passkey = new SoftPasskey(ORIGIN, { signCount: 1 })
  })

  test('begin with recovery codes, and end the other sessions', async () => {
    await begin()
    const { passkey: added, recoveryCodes } = await add()
    expect(added).toMatchObject({ displayName: 'Laptop', host: 'analytics.example.org' })
    expect(new Set(recoveryCodes).size).toBe(10)
    const state = await factorOf().get({})
    expect(state).toMatchObject({ hasTotp: false, recoveryCodesLeft: 10, passkeyOrigin: ORIGIN })
    expect(state.passkeys.map(({ displayName, lastUsedTime }) => [displayName, lastUsedTime])).toEqual([
      ['Laptop', undefined],
    ])
    const rows = await under.catalog.selectFrom('refresh_sessions').select(['id', 'factor_ms']).execute()
    expect(rows).toEqual([{ id: session.sessionId, factor_ms: nowMs }])
  })

  test('after the first one, of either kind, come without new codes', async () => {
    const { recoveryCodes } = await add()
    expect((await add(new SoftPasskey(ORIGIN))).recoveryCodes).toEqual([])
    const { secret, attempt } = await factorOf().startTotp({})
    const code = codeAt(secret, nowMs)
    expect((await factorOf().confirmTotp({ attempt, code })).recoveryCodes).toEqual([])
    expect(await refusalOf(factorOf().prove({ code: recoveryCodes[0] ?? '' }))).toBeUndefined()
    const state = await factorOf().get({})
    expect(state).toMatchObject({ hasTotp: true, recoveryCodesLeft: 9 })
    expect(state.passkeys).toHaveLength(2)
  })

  test('name the account and its passkeys to the browser, and ask for no certificate', async () => {
    await add()
    const { options } = await factorOf().startPasskey({})
    expect(JSON.parse(options)).toMatchObject({
      rp: { id: 'analytics.example.org', name: 'Millrace' },
      user: { name: 'alice@example.org' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [{ id: passkey.id.toString('base64url'), transports: ['hybrid', 'internal'] }],
    })
  })

  test('are not added with another origin, host or challenge, or without a user', async () => {
    const { options } = await factorOf().startPasskey({})
    const refusals = FORGERIES.map(async ([, altered]) => {
      const forged = { ...LAPTOP, passkey: passkey.create(options, altered) }
      return await refusalOf(factorOf().confirmPasskey(forged))
    })
    expect(await Promise.all(refusals)).toEqual(FORGERIES.map(() => INVALID))
    expect((await factorOf().get({})).passkeys).toEqual([])
  })

  test('are added once, in the session that asked, within five minutes', async () => {
    const { options } = await factorOf().startPasskey({})
    const response = { ...LAPTOP, passkey: passkey.create(options) }
    const other = await begin()
    const bob = await addBob()
    expect(await refusalOf(factorOf(other).confirmPasskey(response))).toEqual(INVALID)
    expect(await refusalOf(factorOf(bob).confirmPasskey(response))).toEqual(INVALID)
    await factorOf().confirmPasskey(response)
    expect(await refusalOf(factorOf().confirmPasskey(response))).toEqual(INVALID)
    const late = await factorOf().startPasskey({})
    nowMs += 5 * MINUTE_MS
    const second = { ...LAPTOP, passkey: new SoftPasskey(ORIGIN).create(late.options) }
    expect(await refusalOf(factorOf().confirmPasskey(second))).toEqual(INVALID)
  })

  test('belong to one account', async () => {
    await add()
    expect(await refusalOf(add(passkey, await addBob()))).toEqual(['AlreadyExists', 'PASSKEY_IN_USE'])
  })

  test('are limited', async () => {
    await add()
    for (let index = 1; index < 20; index++) await add(new SoftPasskey(ORIGIN))
    expect(await refusalOf(factorOf().startPasskey({}))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
  })

  test('are added by the owner only', async () => {
    nowMs += 10 * MINUTE_MS + 1
    expect(await refusalOf(factorOf().startPasskey({}))).toEqual(SIGN_IN_AGAIN)
    expect((await factorOf().startPasskey({ currentPassword: PASSWORD })).options).not.toBe('')
    session = await begin()
    await add()
    nowMs += 10 * MINUTE_MS + 1
    const stolen = factorOf().startPasskey({ currentPassword: PASSWORD })
    expect(await refusalOf(stolen)).toEqual(PROVE_FIRST)
    expect(await refusalOf(factorOf().startTotp({ currentPassword: PASSWORD }))).toEqual(PROVE_FIRST)
  })

  test('are not added in a session that ended since', async () => {
    const other = await begin()
    const { options } = await factorOf(other).startPasskey({})
    await add()
    const late = { ...LAPTOP, passkey: new SoftPasskey(ORIGIN).create(options) }
    const ended = ['Unauthenticated', 'INVALID_TOKEN']
    expect(await refusalOf(factorOf(other).confirmPasskey(late))).toEqual(ended)
  })

  describe('as a proof', () => {
    beforeEach(async () => {
      await add()
    })

    test('count once, for ten minutes', async () => {
      nowMs += 10 * MINUTE_MS + 1
      expect(await refusalOf(factorOf().startPasskey({}))).toEqual(PROVE_FIRST)
      const response = await respond()
      expect(await prove(response)).toBeUndefined()
      expect(await refusalOf(factorOf().startPasskey({}))).toBeUndefined()
      expect(await prove(response)).toEqual(INVALID)
      const [used] = (await factorOf().get({})).passkeys
      expect(used?.lastUsedTime).toBeDefined()
    })

    test('count in their session only', async () => {
      const other = await begin()
      expect(await prove(await respond())).toBeUndefined()
      expect(await refusalOf(factorOf().startPasskey({}))).toBeUndefined()
      expect(await refusalOf(factorOf(other).startPasskey({}))).toEqual(PROVE_FIRST)
    })

    test('without a counter count once, too', async () => {
      passkey = new SoftPasskey(ORIGIN)
      await add()
      const response = await respond()
      expect(await prove(response)).toBeUndefined()
      expect(await prove(response)).toEqual(INVALID)
      expect(await prove(await respond())).toBeUndefined()
    })

    test('count once in two processes', async () => {
      const other = openCatalog(under.place)
      try {
        const response = await respond()
        const elsewhere = factorOf(session, { ...ports, catalog: other })
        expect(await prove(response)).toBeUndefined()
        expect(await refusalOf(elsewhere.prove({ passkey: response }))).toEqual(INVALID)
      } finally {
        await other.destroy()
      }
    })

    test('do not count with another origin, host, challenge, key or type, or without a user', async () => {
      const forgeries: readonly (readonly [string, Alterations])[] = [
        ...FORGERIES.filter(([name]) => name !== NO_USER),
        [NO_USER, { flags: 0 }],
        ['another key', { privateKey: stranger }],
        ['the type of a registration', { type: 'webauthn.create' }],
      ]
      const outcomes: unknown[] = []
      for (const [name, altered] of forgeries) {
        outcomes.push([name, await prove(await respond(altered))])
        // A right one takes the guess back.
        outcomes.push(await prove(await respond()))
      }
      expect(outcomes).toEqual(forgeries.flatMap(([name]) => [[name, INVALID], undefined]))
    })

    test('do not count in another session, after five minutes, or for another account', async () => {
      const response = await respond()
      expect(await prove(response, await begin())).toEqual(INVALID)
      const bob = await addBob()
      const bobs = new SoftPasskey(ORIGIN)
      await add(bobs, bob)
      const { options } = await factorOf().startProof({})
      expect(await prove(bobs.get(options))).toEqual(INVALID)
      expect(await prove(passkey.get((await factorOf(bob).startProof({})).options), bob)).toEqual(INVALID)
      nowMs += 5 * MINUTE_MS
      expect(await prove(response)).toEqual(INVALID)
    })

    test('do not count in answer to the challenge of a registration', async () => {
      const { options } = await factorOf().startPasskey({})
      const { challenge } = JSON.parse(options)
      expect(await prove(await respond({ challenge }))).toEqual(INVALID)
    })

    test('are refused when their counter goes back or stays', async () => {
      expect(await prove(await respond({ signCount: 9 }))).toBeUndefined()
      expect(await prove(await respond({ signCount: 9 }))).toEqual(COPIED)
      expect(await prove(await respond({ signCount: 8 }))).toEqual(COPIED)
      expect(await prove(await respond({ signCount: 0 }))).toEqual(COPIED)
      expect(await prove(await respond({ signCount: 10 }))).toBeUndefined()
    })

    test('may be any text, which is no response', async () => {
      const texts = [
        'x',
        'null',
        '[]',
        '{}',
        '{"id":1}',
        '{"id":"a","response":{}}',
        '"a"',
        '{"response":[]}',
      ]
      const refusals: unknown[] = []
      for (const text of texts.slice(0, 5)) refusals.push(await prove(text))
      nowMs += 24 * 60 * MINUTE_MS
      for (const text of texts.slice(5)) refusals.push(await prove(text))
      expect(refusals).toEqual(texts.map(() => INVALID))
    })

    test('are guessed as seldom as codes', async () => {
      const outcomes: unknown[] = []
      for (let index = 0; index < 7; index++)
        outcomes.push(await prove(await respond({ privateKey: stranger })))
      expect(outcomes.slice(0, 6)).toEqual(Array(6).fill(INVALID))
      expect(outcomes.at(-1)).toEqual(['ResourceExhausted', 'RATE_LIMITED'])
    })

    test('of another host are not asked for, and do not count', async () => {
      const response = await respond()
      ports = { ...ports, relyingParty: relyingPartyOf('https://new.example.org') }
      expect(await factorOf().startProof({})).toMatchObject({ options: '' })
      expect(await prove(response)).toEqual(INVALID)
      ports = { ...ports, relyingParty: undefined }
      expect(await prove(response)).toEqual(['FailedPrecondition', 'PASSKEYS_NOT_AVAILABLE'])
    })

    test('replace recovery codes and turn the factor off', async () => {
      expect(
        (await factorOf().replaceRecoveryCodes({ passkey: await respond() })).recoveryCodes,
      ).toHaveLength(10)
      await factorOf().remove({ passkey: await respond() })
      expect(await factorOf().get({})).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    })
  })

  test('are not added where browsers allow none', async () => {
    ports = { ...ports, relyingParty: undefined }
    const refusal = ['FailedPrecondition', 'PASSKEYS_NOT_AVAILABLE']
    expect(await refusalOf(factorOf().startPasskey({}))).toEqual(refusal)
    expect(await refusalOf(factorOf().confirmPasskey({ ...LAPTOP, passkey: '{}' }))).toEqual(refusal)
    expect(await factorOf().get({})).toMatchObject({ passkeyOrigin: '' })
  })

  test('are renamed and removed by their owner only', async () => {
    const { passkey: added } = await add()
    const id = added?.id ?? ''
    const bob = await addBob()
    const bobs = new SoftPasskey(ORIGIN)
    await add(bobs, bob)
    const response = async (): Promise<string> => bobs.get((await factorOf(bob).startProof({})).options)
    const theft = factorOf(bob).renamePasskey({ id, displayName: 'Mine' })
    expect(await refusalOf(theft)).toEqual(UNKNOWN)
    expect(await refusalOf(factorOf(bob).removePasskey({ id, passkey: await response() }))).toEqual(UNKNOWN)
    const renamed = await factorOf().renamePasskey({ id, displayName: 'Old laptop' })
    expect(renamed.passkey).toMatchObject({ id, displayName: 'Old laptop' })
    expect(await refusalOf(factorOf().removePasskey({ id, code: '000000' }))).toEqual([
      'InvalidArgument',
      'SECOND_FACTOR_INVALID',
    ])
    await factorOf().removePasskey({ id, passkey: await respond() })
    expect(await factorOf().get({})).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    expect((await factorOf(bob).get({})).passkeys).toHaveLength(1)
    expect(mails).toEqual([['alice@example.org', 'The second factor of your account was removed']])
  })

  test('leave the recovery codes to other factors, and the last one to organisations that require it', async () => {
    const { passkey: first } = await add()
    await add(new SoftPasskey(ORIGIN))
    await createOrganisation(under.catalog, clock, { customerId: alice, displayName: 'Engines' })
    await under.catalog.updateTable('organisations').set({ second_factor_required: 1 }).execute()
    const rest = await factorOf().get({})
    const last = rest.passkeys.find(({ id }) => id !== first?.id)?.id ?? ''
    const removal = factorOf().removePasskey({ id: last, passkey: await respond() })
    expect(await refusalOf(removal)).toBeUndefined()
    expect(mails).toEqual([['alice@example.org', 'A passkey of your account was removed']])
    expect(await factorOf().get({})).toMatchObject({ recoveryCodesLeft: 10 })
    const ending = factorOf().removePasskey({ id: first?.id ?? '', passkey: await respond() })
    expect(await refusalOf(ending)).toEqual(['PermissionDenied', 'SECOND_FACTOR_REQUIRED'])
    expect((await factorOf().get({})).passkeys).toHaveLength(1)
    expect(mails).toHaveLength(1)
  })
})

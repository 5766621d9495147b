import type { CustomerId } from '../../contract/ids.ts'
import { CopiedPasskeyError, invalidPasskey, noPasskeysHere } from './factor-errors.ts'
import {
  type ChallengePorts,
  type ChallengePurpose,
  createChallenge,
  isChallengeOpen,
  useChallenge,
} from './passkey-challenges.ts'
import { advanceCounter, listPasskeys, type NewPasskey, requireRoom } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  type Checked,
  checkCreation,
  checkProof,
  creationOptions,
  prepareWebAuthn,
  requestOptions,
} from './webauthn.ts'

/** Dependencies of passkeys. */
export interface PasskeyPorts extends ChallengePorts {
  /** Absent where the public URL allows no passkeys. */
  readonly relyingParty?: RelyingParty | undefined
}

/** What a proof with a passkey is for. */
export type PasskeyUse = Exclude<ChallengePurpose['use'], 'registration'>

/** The options with which a browser creates a passkey for an account, as JSON. Throws `failed_precondition`. */
export async function startRegistration(
  ports: PasskeyPorts,
  account: { readonly id: CustomerId; readonly email: string },
  within: string,
): Promise<string> {
  const relyingParty = requireRelyingParty(ports)
  const purpose = { customerId: account.id, use: 'registration', within } as const
  const challenge = createChallenge(ports, purpose)
  const passkeys = await listPasskeys(ports.catalog, account.id)
  requireRoom(passkeys)
  return await creationOptions({ relyingParty, challenge, passkeys: ofHost(passkeys, relyingParty) }, account)
}

/** A new passkey, and its challenge, which is to be used up. */
export type CheckedRegistration = Checked<NewPasskey>

/** Checks the response to {@link startRegistration}, before a transaction. Throws `invalid_argument` and `failed_precondition`. */
export async function checkRegistration(
  ports: PasskeyPorts,
  {
    customerId,
    within,
    passkey,
  }: Pick<ChallengePurpose, 'customerId' | 'within'> & { readonly passkey: string },
): Promise<CheckedRegistration> {
  const relyingParty = requireRelyingParty(ports)
  const purpose = { customerId, use: 'registration', within } as const
  const isChallenge = (challenge: string): boolean => isChallengeOpen(ports, purpose, challenge)
  await prepareWebAuthn()
  try {
    return await checkCreation(passkey, { relyingParty, isChallenge })
  } catch (thrown) {
    throw invalidPasskey(thrown)
  }
}

/** Uses up the challenge of a checked response, within a transaction. Throws `invalid_argument` the second time. */
export async function useRegistration(
  ports: ChallengePorts,
  { challenge }: CheckedRegistration,
): Promise<void> {
  if (!(await useChallenge(ports, challenge))) throw invalidPasskey()
}

/** The options with which a browser proves one of the account's passkeys, as JSON; empty if it has none for this host. */
export async function startProof(
  ports: PasskeyPorts,
  purpose: ChallengePurpose & { readonly use: PasskeyUse },
): Promise<string> {
  const { relyingParty } = ports
  if (!relyingParty) return ''
  const passkeys = ofHost(await listPasskeys(ports.catalog, purpose.customerId), relyingParty)
  if (passkeys.length === 0) return ''
  return await requestOptions({ relyingParty, challenge: createChallenge(ports, purpose), passkeys })
}

/**
 * Uses up the response to {@link startProof}, within a transaction. Throws `invalid_argument` for one that is not valid, was used, or
 * comes from a copy of the passkey.
 */
export async function usePasskey(
  ports: PasskeyPorts,
  { passkey: text, ...purpose }: ChallengePurpose & { readonly use: PasskeyUse; readonly passkey: string },
): Promise<void> {
  const relyingParty = requireRelyingParty(ports)
  const { customerId } = purpose
  const passkeys = await listPasskeys(ports.catalog, customerId)
  const isChallenge = (challenge: string): boolean => isChallengeOpen(ports, purpose, challenge)
  const { challenge, found } = await checkProof(text, { relyingParty, isChallenge }, passkeys).catch(
    (thrown: unknown) => {
      throw invalidPasskey(thrown)
    },
  )
  if (!(await useChallenge(ports, challenge))) throw invalidPasskey()
  const { passkey, signCount } = found
  if (!(await advanceCounter(ports.catalog, ports.clock, { customerId, id: passkey.id, signCount })))
    throw new CopiedPasskeyError(customerId)
}

function requireRelyingParty({ relyingParty }: PasskeyPorts): RelyingParty {
  if (!relyingParty) throw noPasskeysHere()
  return relyingParty
}

/** Passkeys work at the host for which they were created only. */
function ofHost<Listed extends { readonly rpId: string }>(
  passkeys: readonly Listed[],
  { id }: RelyingParty,
): Listed[] {
  return passkeys.filter(({ rpId }) => rpId === id)
}

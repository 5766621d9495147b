import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { CHALLENGE_MS } from './passkey-challenges.ts'
import type { NewPasskey, Passkey } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'

const RP_NAME = 'Millrace'

/** EdDSA, ES256 and RS256 (IANA, COSE algorithms): every process of the service verifies them. */
const ALGORITHMS = [-8, -7, -257]

/**
 * The first factor shows what the account's owner knows or who vouches for them; a passkey adds what they have. Requiring it to check
 * its user, too, would exclude security keys without a PIN.
 */
const USER_VERIFICATION = 'preferred'

/** How browsers may reach a passkey (WebAuthn, section 5.8.4): they get these words back. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** Loaded with the first passkey: it is larger than all other code of accounts. */
async function load() {
  return await import('./webauthn-library.ts')
}

/** Loads the code that checks responses, so that a transaction does not wait for it. */
export async function prepareWebAuthn(): Promise<void> {
  await load()
}

/** A challenge to the browser of an account. */
export interface BrowserChallenge {
  readonly relyingParty: RelyingParty
  /** Base64url. */
  readonly challenge: string
  /** The passkeys of the account. */
  readonly passkeys: readonly Passkey[]
}

/** The options with which a browser creates a passkey, as JSON. */
export async function creationOptions(
  { relyingParty, challenge, passkeys }: BrowserChallenge,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<string> {
  const { generateRegistrationOptions } = await load()
  const options: PublicKeyCredentialCreationOptionsJSON = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: relyingParty.id,
    userID: new TextEncoder().encode(id),
    userName: email,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    // The same authenticator twice would be no second way in.
    excludeCredentials: descriptorsOf(passkeys),
    authenticatorSelection: { residentKey: 'preferred', userVerification: USER_VERIFICATION },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return JSON.stringify(options)
}

/** The options with which a browser proves a passkey, as JSON. */
export async function requestOptions({
  relyingParty,
  challenge,
  passkeys,
}: BrowserChallenge): Promise<string> {
  const { generateAuthenticationOptions } = await load()
  const options: PublicKeyCredentialRequestOptionsJSON = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MS,
    allowCredentials: descriptorsOf(passkeys),
    userVerification: USER_VERIFICATION,
  })
  return JSON.stringify(options)
}

function descriptorsOf(passkeys: readonly Passkey[]) {
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: [...transports],
  }))
}

/** What a response must have. */
export interface Expected {
  readonly relyingParty: RelyingParty
  readonly isChallenge: (challenge: string) => boolean
}

/** A checked response. */
export interface Checked<Found> {
  /** Base64url; not yet marked as used. */
  readonly challenge: string
  readonly found: Found
}

/** Checks the response of a browser that created a passkey. Throws an `Error` for one that is not valid. */
export async function checkCreation(
  text: string,
  { relyingParty, isChallenge }: Expected,
): Promise<Checked<NewPasskey>> {
  const { verifyRegistrationResponse, decodeAttestation } = await load()
  const response = parseResponse<RegistrationResponseJSON>(text)
  requireNoCertificate(decodeAttestation(response.response.attestationObject))
  let challenge = ''
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (sent) => {
      challenge = sent
      return isChallenge(sent)
    },
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('the signature of the attestation is wrong')
  const { id, publicKey, counter, transports } = registrationInfo.credential
  const found = {
    rpId: relyingParty.id,
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    transports: transportsOf(transports),
    signCount: counter,
  }
  return { challenge, found }
}

/** An answer to a {@link BrowserChallenge}. */
export interface CheckedProof {
  readonly passkey: Passkey
  /** The counter of the signature. */
  readonly signCount: number
}

/** Checks the response of a browser that proved one of `passkeys`. Throws an `Error` for one that is not valid. */
export async function checkProof(
  text: string,
  { relyingParty, isChallenge }: Expected,
  passkeys: readonly Passkey[],
): Promise<Checked<CheckedProof>> {
  const { verifyAuthenticationResponse } = await load()
  const response = parseResponse<AuthenticationResponseJSON>(text)
  const passkey = passkeys.find(
    ({ credentialId, rpId }) => credentialId === response.id && rpId === relyingParty.id,
  )
  if (!passkey) throw new Error('the account has no such passkey')
  let challenge = ''
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (sent) => {
      challenge = sent
      return isChallenge(sent)
    },
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      // The counter is compared where it is stored, for all processes.
      counter: 0,
    },
  })
  if (!verified) throw new Error('the signature is wrong')
  return { challenge, found: { passkey, signCount: authenticationInfo.newCounter } }
}

/** Parts of the JSON of a credential. */
interface CredentialParts {
  readonly id?: unknown
  readonly response?: unknown
  readonly clientDataJSON?: unknown
}

/** The parts that the library takes for granted; it checks the others. */
function parseResponse<Response extends { readonly id: string }>(text: string): Response {
  const value: unknown = JSON.parse(text)
  const isResponse =
    isRecord(value) &&
    typeof value.id === 'string' &&
    isRecord(value.response) &&
    typeof value.response.clientDataJSON === 'string'
  if (!isResponse) throw new Error('the text is not the JSON of a credential')
  return value as unknown as Response
}

function isRecord(value: unknown): value is CredentialParts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The options ask for no certificate of the authenticator, so browsers send none. The library would fetch the revocation list that a
 * certificate names: a caller must not choose addresses for the service.
 */
function requireNoCertificate({
  format,
  hasCertificate,
}: {
  readonly format: string
  readonly hasCertificate: boolean
}): void {
  const isSelfSigned = format === 'packed' && !hasCertificate
  if (format !== 'none' && !isSelfSigned) throw new Error(`the attestation has the format ${format}`)
}

/** Browsers pass on what an authenticator claims. */
function transportsOf(claimed: unknown): string[] {
  return Array.isArray(claimed) ? TRANSPORTS.filter((transport) => claimed.includes(transport)) : []
}

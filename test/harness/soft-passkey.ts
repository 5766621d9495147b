import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** What an attacker, or another browser, would send instead. */
export interface Alterations {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly signCount?: number
  readonly flags?: number
  /** The attestation statement of a registration. */
  readonly attestation?: readonly [format: string, statement: ReadonlyMap<string, unknown>]
  /** Signs in place of the passkey. */
  readonly privateKey?: KeyObject
}

interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
}

/** A passkey in software (WebAuthn, section 6), which does what a browser and an authenticator do together. */
export class SoftPasskey {
  readonly id = randomBytes(32)
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** Of its newest signature; 0 for a passkey that counts none. */
  signCount: number

  constructor(origin: string, { signCount = 0 }: { readonly signCount?: number } = {}) {
    this.#origin = origin
    this.signCount = signCount
  }

  /** The response to creation options, as JSON. */
  create(options: string, altered: Alterations = {}): string {
    const parsed: Options = JSON.parse(options)
    const [format, statement] = altered.attestation ?? ['none', new Map<string, unknown>()]
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.id.length)
    const credential = [Buffer.alloc(16), idLength, this.id, this.#coseKey()]
    const authData = Buffer.concat([
      this.#authData(parsed, { flags: HAS_CREDENTIAL | USER_PRESENT | USER_VERIFIED, ...altered }),
      ...credential,
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', new Uint8Array(authData)],
    ])
    return this.#credential({
      clientDataJSON: this.#clientData(parsed, { type: 'webauthn.create', ...altered }).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal', 'hybrid', 'telepathy'],
    })
  }

  /** The response to request options, as JSON. */
  get(options: string, altered: Alterations = {}): string {
    const parsed: Options = JSON.parse(options)
    if (this.signCount > 0) this.signCount++
    const authData = this.#authData(parsed, { flags: USER_PRESENT, ...altered })
    const clientData = this.#clientData(parsed, { type: 'webauthn.get', ...altered })
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const signature = sign('sha256', signed, altered.privateKey ?? this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #credential(response: object): string {
    const id = this.id.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }

  #clientData({ challenge }: Options, { origin = this.#origin, ...altered }: Alterations): Buffer {
    const data = { type: altered.type, challenge: altered.challenge ?? challenge, origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(data))
  }

  #authData(options: Options, { rpId, flags = 0, signCount = this.signCount }: Alterations): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(signCount, 1)
    const id = rpId ?? options.rpId ?? options.rp?.id ?? ''
    return Buffer.concat([createHash('sha256').update(id).digest(), head])
  }

  /** RFC 9053, section 7.1.1. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    return Buffer.from(isoCBOR.encode(key as never))
  }
}

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** A text and its purpose: sealed for one purpose, it cannot be opened for another. */
export interface Purpose {
  /** For example `deletion-request/3f2a…`: identifies where the sealed text is stored. */
  readonly purpose: string
  readonly text: string
}

/** A sealed text and the purpose that it was sealed for. */
export interface SealedText {
  readonly purpose: string
  readonly sealed: string
}

/** Encrypts texts at rest with AES-256-GCM, and computes HMAC-SHA256 digests to look them up by. */
export class Sealer {
  readonly #sealingKey: Buffer
  readonly #digestKey: Buffer

  /** `key`: the 32 bytes of the service's secret key. */
  constructor(key: Buffer) {
    this.#sealingKey = derive(key, 'seal')
    this.#digestKey = derive(key, 'digest')
  }

  /** Encrypts a text; the result differs each time. */
  seal({ purpose, text }: Purpose): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#sealingKey, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(purpose))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
  }

  /** Decrypts a text. Throws if it was tampered with, or sealed with another key or for another purpose. */
  unseal(text: SealedText): string {
    try {
      return this.#decrypt(text)
    } catch (cause) {
      throw new Error('a sealed text was changed, or sealed with another secret key; run millrace doctor', {
        cause,
      })
    }
  }

  #decrypt({ purpose, sealed }: SealedText): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#sealingKey, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }

  /** A digest that is stable for a text and purpose and reveals nothing without the key: looks up sealed texts. */
  digest({ purpose, text }: Purpose): string {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(purpose))
    return createHmac('sha256', this.#digestKey).update(length).update(purpose).update(text).digest('hex')
  }
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `millrace ${use}`, KEY_BYTES))
}

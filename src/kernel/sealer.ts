import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** A text and what it is for: sealed for one purpose, it does not open for another. */
export interface Purpose {
  /** For example `deletion-request/3f2a…`: names the place where the sealed text is kept. */
  readonly purpose: string
  readonly text: string
}

/** Keeps texts unreadable for who has the files but not the key: AES-256-GCM, and HMAC-SHA256 to look them up by. */
export class Sealer {
  readonly #sealingKey: Buffer
  readonly #digestKey: Buffer

  /** `key` are the 32 bytes of the service's secret key. */
  constructor(key: Buffer) {
    this.#sealingKey = derive(key, 'seal')
    this.#digestKey = derive(key, 'digest')
  }

  /** Seals a text, differently each time. */
  seal({ purpose, text }: Purpose): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#sealingKey, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(purpose))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
  }

  /** The text again. Throws when it was sealed with another key or for another purpose, or was changed. */
  unseal({ purpose, sealed }: { readonly purpose: string; readonly sealed: string }): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#sealingKey, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }

  /** The same for the same text and purpose, and nothing to who has no key: finds what is only kept sealed. */
  digest({ purpose, text }: Purpose): string {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(purpose))
    return createHmac('sha256', this.#digestKey).update(length).update(purpose).update(text).digest('hex')
  }
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `millrace ${use}`, KEY_BYTES))
}

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ServiceClient } from './service-client.ts'

/** A message of `Identify` in proto JSON. */
export interface OutgoingIdentify {
  readonly externalId: string
  readonly anonymousId?: string
  readonly traits?: Readonly<Record<string, unknown>>
}

const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'

/** Users whose last message is remembered: sources repeat it with every event. */
const USERS_MAX = 200_000

/** Sends Identify messages, and skips a message that repeats the user's last one. */
export class IdentifySender {
  readonly #client: ServiceClient | undefined
  readonly #lastDigests = new LRUCache<string, string>({ max: USERS_MAX })

  /** Sends nothing without a client. */
  constructor(client: ServiceClient | undefined) {
    this.#client = client
  }

  /** Whether the message differs from the user's last one, which it replaces. */
  isNew(identify: OutgoingIdentify): boolean {
    const { externalId, anonymousId = '' } = identify
    const digest = createHash('sha1').update(JSON.stringify(identify)).digest('base64')
    const key = JSON.stringify([externalId, anonymousId])
    if (this.#lastDigests.get(key) === digest) return false
    this.#lastDigests.set(key, digest)
    return true
  }

  /** Sends a message and returns the reason if the service rejects it. Throws `SendError`. */
  async send(identify: OutgoingIdentify): Promise<string | undefined> {
    const refusal = await this.#client?.call(IDENTIFY, JSON.stringify(identify))
    return refusal?.message
  }
}

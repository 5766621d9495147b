import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ServiceClient } from './service-client.ts'

/** A message of `Identify` in proto JSON. */
export interface OutgoingIdentify {
  readonly externalId: string
  readonly anonymousId?: string
  readonly previousId?: string
  readonly traits?: Readonly<Record<string, unknown>>
  readonly traitsOnce?: Readonly<Record<string, unknown>>
  readonly removedTraits?: readonly string[]
}

const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'

/** Users whose last message is remembered: sources repeat it with every event. */
const USERS_MAX = 200_000

/** Sends Identify messages, and skips those that repeat a claim and the user's last traits. */
export class IdentifySender {
  readonly #client: ServiceClient | undefined
  readonly #claims = new LRUCache<string, true>({ max: USERS_MAX })
  readonly #traitDigests = new LRUCache<string, string>({ max: USERS_MAX })

  /** Sends nothing without a client. */
  constructor(client: ServiceClient | undefined) {
    this.#client = client
  }

  /** Whether the message claims another id, or differs from what was last done to the traits of its user. It is remembered. */
  isNew(identify: OutgoingIdentify): boolean {
    const { externalId, anonymousId = '', previousId = '', ...operations } = identify
    const claim = JSON.stringify([externalId, anonymousId, previousId])
    const isOtherClaim = !this.#claims.has(claim)
    this.#claims.set(claim, true)
    if (Object.keys(operations).length === 0) return isOtherClaim
    const digest = createHash('sha1').update(JSON.stringify(operations)).digest('base64')
    const areOtherTraits = this.#traitDigests.get(externalId) !== digest
    this.#traitDigests.set(externalId, digest)
    return isOtherClaim || areOtherTraits
  }

  /** Sends a message and returns the reason if the service rejects it. Throws `SendError`. */
  async send(identify: OutgoingIdentify): Promise<string | undefined> {
    const refusal = await this.#client?.call(IDENTIFY, JSON.stringify(identify))
    return refusal?.message
  }
}

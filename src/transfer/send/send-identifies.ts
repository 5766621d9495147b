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

/** People of whom it is remembered what was said last: sources repeat it with every event. */
const PEOPLE_MAX = 200_000

/** Says who people are: what was said of somebody last is not said again. */
export class IdentifySender {
  readonly #client: ServiceClient | undefined
  readonly #said = new LRUCache<string, string>({ max: PEOPLE_MAX })

  /** Without a client nothing is sent. */
  constructor(client: ServiceClient | undefined) {
    this.#client = client
  }

  /** Whether the message says something new of the person; from now on it is known. */
  isNew(identify: OutgoingIdentify): boolean {
    const { externalId, anonymousId = '' } = identify
    const digest = createHash('sha1').update(JSON.stringify(identify)).digest('base64')
    const key = JSON.stringify([externalId, anonymousId])
    if (this.#said.get(key) === digest) return false
    this.#said.set(key, digest)
    return true
  }

  /** Sends a message; answers why the service refuses it. Throws `SendError`. */
  async send(identify: OutgoingIdentify): Promise<string | undefined> {
    const refusal = await this.#client?.call(IDENTIFY, JSON.stringify(identify))
    return refusal?.message
  }
}

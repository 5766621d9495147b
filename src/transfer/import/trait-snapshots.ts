import { LRUCache } from 'lru-cache'
import type { ForeignIdentification } from '../../pipeline/dialects/foreign/foreign-batch.ts'

/** Users whose last traits are remembered by name; a user rarely has more than a hundred. */
const USERS_MAX = 20_000

/** Finds the traits that were removed, in a source whose events have all traits of their user at the time. */
export class TraitSnapshots {
  readonly #names = new LRUCache<string, readonly string[]>({ max: USERS_MAX })

  /** Adds the removal of traits that the last event of the user had. An event without traits says nothing about them. */
  compare(identification: ForeignIdentification): ForeignIdentification {
    const { externalId, traits, removedTraits } = identification
    if (traits.size === 0) return identification
    const gone = (this.#names.get(externalId) ?? []).filter((name) => !traits.has(name))
    this.#names.set(externalId, [...traits.keys()])
    return gone.length === 0
      ? identification
      : { ...identification, removedTraits: [...removedTraits, ...gone] }
  }
}

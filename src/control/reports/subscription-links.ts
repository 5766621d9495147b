import { timingSafeEqual } from 'node:crypto'
import { isCanonicalUuid } from '../../contract/ids.ts'
import type { Sealer } from '../../kernel/sealer.ts'

/** The path of the page on which owners of addresses confirm and unsubscribe. */
export const SUBSCRIPTION_PATH = '/report-subscription'

/** What the owner of an address does with a link. */
export type SubscriptionAction = 'confirm' | 'unsubscribe'

/** A recipient, as far as links are bound to it. */
interface Linked {
  readonly id: string
  /** A link that asks to confirm is void once the owner is asked again. */
  readonly askedMs: number
}

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-f]{64})$/

/**
 * Links in mails of reports: the id of a recipient and a keyed digest, so that nothing is stored and no one can make a link
 * for another recipient.
 */
export class SubscriptionLinks {
  readonly #sealer: Pick<Sealer, 'digest'>
  readonly #publicUrl: string

  constructor(parts: { readonly sealer: Pick<Sealer, 'digest'>; readonly publicUrl: string }) {
    this.#sealer = parts.sealer
    this.#publicUrl = parts.publicUrl
  }

  /** The URL of an action. */
  urlOf(action: SubscriptionAction, recipient: Linked): string {
    const token = `${recipient.id}.${this.#digest(action, recipient)}`
    return `${this.#publicUrl.replace(/\/$/, '')}${SUBSCRIPTION_PATH}?${action}=${token}`
  }

  /** The recipient that a token names; its digest is still to be checked. */
  parse(token: string): { readonly id: string; readonly digest: string } | undefined {
    const [, id = '', digest = ''] = TOKEN.exec(token) ?? []
    return isCanonicalUuid(id) ? { id, digest } : undefined
  }

  /** Whether a digest is that of a link to an action. */
  accepts(action: SubscriptionAction, recipient: Linked, digest: string): boolean {
    return timingSafeEqual(Buffer.from(digest), Buffer.from(this.#digest(action, recipient)))
  }

  #digest(action: SubscriptionAction, { id, askedMs }: Linked): string {
    const text = action === 'confirm' ? `${id}\n${askedMs}` : id
    return this.#sealer.digest({ purpose: `report-${action}`, text })
  }
}

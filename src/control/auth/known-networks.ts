import { createHmac } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** Who has not signed in from a network for this long is a stranger there. */
const FORGOTTEN_MS = 90 * 24 * 3_600_000

/** Networks that one account remembers: one account alone cannot push out those of all others. */
const PER_ACCOUNT_MAX = 20

/** Rows of all accounts together; beyond, those go that were used longest ago. */
const ROWS_MAX = 50_000

/** How often a process looks for rows that are to be forgotten. */
const FORGET_EVERY_MS = 60_000

/**
 * How an attempt to sign in stands, best first: the account has signed in from this network before, some account has, or
 * none has. An account that only signed in from elsewhere is a stranger like one that does not exist: else strangers could
 * tell which accounts exist by how they are served.
 */
export const STANDINGS = ['account', 'network', 'stranger'] as const

/** One of {@link STANDINGS}. */
export type Standing = (typeof STANDINGS)[number]

/** An account, by its address in canonical form, and where a call comes from. */
export interface Origin {
  readonly email: string
  readonly network: string
}

/** Remembers from which networks accounts have signed in. All processes on one catalog remember together. */
export class KnownNetworks {
  readonly #options: KnownNetworksOptions
  #forgotMs = 0

  constructor(options: KnownNetworksOptions) {
    this.#options = options
  }

  /** How an attempt to sign in stands before it is made. */
  async standingOf(origin: Origin): Promise<Standing> {
    const { account, network } = this.#digestsOf(origin)
    const { catalog, clock } = this.#options
    const row = await catalog
      .selectFrom('known_networks')
      .select(({ fn, case: when }) => [
        fn.max(when().when('account', '=', account).then(1).else(0).end()).as('own'),
      ])
      .where('network', '=', network)
      .where('last_ms', '>', clock.nowMs() - FORGOTTEN_MS)
      .executeTakeFirst()
    if (typeof row?.own !== 'number') return 'stranger'
    return row.own === 1 ? 'account' : 'network'
  }

  /** Keeps that somebody has signed in. */
  async remember(origin: Origin): Promise<void> {
    const { account, network } = this.#digestsOf(origin)
    const { catalog, clock } = this.#options
    const nowMs = clock.nowMs()
    await this.#forget(nowMs)
    await catalog
      .insertInto('known_networks')
      .values({ account, network, last_ms: nowMs })
      .onConflict((conflict) => conflict.columns(['account', 'network']).doUpdateSet({ last_ms: nowMs }))
      .execute()
    const surplus = await catalog
      .selectFrom('known_networks')
      .select('last_ms')
      .where('account', '=', account)
      .orderBy('last_ms', 'desc')
      .offset(PER_ACCOUNT_MAX)
      .limit(1)
      .executeTakeFirst()
    if (surplus === undefined) return
    await catalog
      .deleteFrom('known_networks')
      .where('account', '=', account)
      .where('last_ms', '<=', surplus.last_ms)
      .execute()
  }

  async #forget(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#forgotMs) < FORGET_EVERY_MS) return
    this.#forgotMs = nowMs
    const { catalog } = this.#options
    const surplus = await catalog
      .selectFrom('known_networks')
      .select('last_ms')
      .orderBy('last_ms', 'desc')
      .offset(ROWS_MAX)
      .limit(1)
      .executeTakeFirst()
    const untilMs = Math.max(nowMs - FORGOTTEN_MS, surplus?.last_ms ?? 0)
    await catalog.deleteFrom('known_networks').where('last_ms', '<=', untilMs).execute()
  }

  #digestsOf({ email, network }: Origin): { readonly account: string; readonly network: string } {
    const digest = (text: string): string =>
      createHmac('sha256', this.#options.key).update(`known networks\n${text}`).digest('base64url')
    return { account: digest(`account\n${email}`), network: digest(`network\n${network}`) }
  }
}

/** Where networks are remembered. */
export interface KnownNetworksOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Keeps addresses out of the catalog: only digests under this key are stored. */
  readonly key: Uint8Array
}

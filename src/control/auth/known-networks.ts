import { createHmac } from 'node:crypto'
import { type AddressRanges, clientNetwork } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** A network stays known for this long after the last sign-in from it. */
const EXPIRY_MS = 90 * 24 * 3_600_000

/** Maximum networks per account, so that one account cannot displace those of others. */
const PER_ACCOUNT_MAX = 20

/** Maximum rows of all accounts; beyond, the least recently used ones are deleted. */
const ROWS_MAX = 50_000

/** Interval of the cleanup per process. */
const CLEANUP_INTERVAL_MS = 60_000

/**
 * The standing of a sign-in attempt, best first: the network is known for the account, for some account, or for none. An
 * account that only signed in from other networks has the standing of one that does not exist, so that response times do
 * not reveal which accounts exist.
 */
export const STANDINGS = ['account', 'network', 'unknown'] as const

/** One of {@link STANDINGS}. */
export type Standing = (typeof STANDINGS)[number]

/**
 * The network of a call, by which attempts are counted. The edge appends the peer's address to `x-forwarded-for`, so that
 * clients cannot forge it.
 */
export function nameClientNetwork(headers: Headers, trustedProxies: AddressRanges): string {
  return clientNetwork(headers.get('x-forwarded-for') ?? '', trustedProxies)
}

/** An account, by its canonical address, and the network of a call. */
export interface Origin {
  readonly email: string
  readonly network: string
}

/** The name of an origin, for limits. */
export function nameOrigin({ email, network }: Origin): string {
  return `${email}\n${network}`
}

/** Records the networks of sign-ins per account, shared by all processes on one catalog. */
export class KnownNetworks {
  readonly #options: KnownNetworksOptions
  #cleanedMs = 0

  constructor(options: KnownNetworksOptions) {
    this.#options = options
  }

  /** The standing of a sign-in attempt. */
  async standingOf(origin: Origin): Promise<Standing> {
    const { account, network } = this.#digestsOf(origin)
    const { catalog, clock } = this.#options
    const row = await catalog
      .selectFrom('known_networks')
      .select(({ fn, case: when }) => [
        fn.max(when().when('account', '=', account).then(1).else(0).end()).as('own'),
      ])
      .where('network', '=', network)
      .where('last_ms', '>', clock.nowMs() - EXPIRY_MS)
      .executeTakeFirst()
    if (typeof row?.own !== 'number') return 'unknown'
    return row.own === 1 ? 'account' : 'network'
  }

  /** Records a sign-in. */
  async remember(origin: Origin): Promise<void> {
    const { account, network } = this.#digestsOf(origin)
    const { catalog, clock } = this.#options
    const nowMs = clock.nowMs()
    await this.#cleanUp(nowMs)
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

  async #cleanUp(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#cleanedMs) < CLEANUP_INTERVAL_MS) return
    this.#cleanedMs = nowMs
    const { catalog } = this.#options
    const surplus = await catalog
      .selectFrom('known_networks')
      .select('last_ms')
      .orderBy('last_ms', 'desc')
      .offset(ROWS_MAX)
      .limit(1)
      .executeTakeFirst()
    const untilMs = Math.max(nowMs - EXPIRY_MS, surplus?.last_ms ?? 0)
    await catalog.deleteFrom('known_networks').where('last_ms', '<=', untilMs).execute()
  }

  #digestsOf({ email, network }: Origin): { readonly account: string; readonly network: string } {
    const digest = (text: string): string =>
      createHmac('sha256', this.#options.key).update(`known networks\n${text}`).digest('base64url')
    return { account: digest(`account\n${email}`), network: digest(`network\n${network}`) }
  }
}

/** Options of known networks. */
export interface KnownNetworksOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Key of the digests under which accounts and networks are stored. */
  readonly key: Uint8Array
}

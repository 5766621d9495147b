import { LRUCache } from 'lru-cache'
import { type AddressRanges, clientAddress, networkOf } from '../kernel/address-ranges.ts'
import { entriesUpTo } from '../kernel/cache-limit.ts'
import { counter } from '../kernel/metrics.ts'
import { readEnrichmentHeaders } from '../pipeline/enrich/enrichment-headers.ts'
import { canonicalAddress, resolveClientAddress } from '../pipeline/identity/client-address.ts'
import type { ClientFacts } from '../pipeline/task.ts'
import type { BodyOwner } from './body-budget.ts'

/** Facts about the client of a request that the transport provides. */
export interface ClientHead {
  /** Address of the peer, or the one in its PROXY header. */
  readonly peer: string
  header(name: string): string | undefined
}

/** Few proxies stand before an edge, and clients without one come back; an entry is below 200 bytes. */
const PEERS_MAX = 8192

const untrusted = counter(
  'millrace_untrusted_proxy_requests_total',
  'Requests that depend on the client address and carry x-forwarded-for from a peer that is not a trusted proxy.',
)

/** Reads the client of a request; headers of a proxy or CDN count for trusted peers only. */
export class ClientFactsReader {
  readonly #trustedProxies: AddressRanges
  readonly #peers = new LRUCache<
    string,
    { readonly address: string | undefined; readonly isTrusted: boolean }
  >(entriesUpTo(PEERS_MAX))

  constructor(trustedProxies: AddressRanges) {
    this.#trustedProxies = trustedProxies
  }

  /**
   * The facts of one request, as plain data. The address costs more than all the rest (benchmark case
   * `e2e/json-batch-1`), so it is only read for requests that may need it.
   */
  read(head: ClientHead, need: { readonly address: boolean }): ClientFacts {
    const header = (name: string): string | undefined => head.header(name)
    const userAgent = head.header('user-agent') || undefined
    const headers = readEnrichmentHeaders(header)
    if (!need.address && headers === undefined) return { address: undefined, userAgent, headers }
    const { address, isTrusted } = this.#peer(head.peer)
    if (!isTrusted || address === undefined) {
      if (head.header('x-forwarded-for')) untrusted.inc()
      return { address, userAgent, headers: undefined }
    }
    return {
      address: resolveClientAddress({ peer: address, header, trustedProxies: this.#trustedProxies }),
      userAgent,
      headers,
    }
  }

  /** Names the network of the client, to count by; a client cannot choose it. */
  network(head: ClientHead): string {
    return networkOf(this.address(head))
  }

  /** The address of the client, which it cannot choose: the one that the lists of keys allow. */
  address(head: ClientHead): string {
    const { address, isTrusted } = this.#peer(head.peer)
    if (address === undefined) return head.peer
    const forwardedFor = isTrusted ? head.header('x-forwarded-for') : undefined
    return forwardedFor ? clientAddress(`${forwardedFor},${address}`, this.#trustedProxies) : address
  }

  #peer(peer: string): { readonly address: string | undefined; readonly isTrusted: boolean } {
    const known = this.#peers.get(peer)
    if (known) return known
    const address = canonicalAddress(peer)
    const read = { address, isTrusted: address !== undefined && this.#trustedProxies.includes(address) }
    this.#peers.set(peer, read)
    return read
  }
}

/** The owner of the body of an ingestion call, determined lazily: a body that arrives in one piece needs none. */
export class SenderOfBody implements BodyOwner {
  readonly kind = 'ingestion'
  readonly credential: string
  readonly #head: ClientHead
  readonly #clients: ClientFactsReader

  constructor(key: string, head: ClientHead, clients: ClientFactsReader) {
    this.credential = key
    this.#head = head
    this.#clients = clients
  }

  get network(): string {
    return this.#clients.network(this.#head)
  }
}

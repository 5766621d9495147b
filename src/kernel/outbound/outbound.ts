import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as startTls, type TLSSocket } from 'node:tls'
import { type AllowedAddresses, mayConnectTo } from './outbound-addresses.ts'
import { OutboundError, type OutboundFailure } from './outbound-error.ts'

/** Resolves the addresses of a host name. Rejects when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** The destination of a connection. */
export interface OutboundTarget {
  /** A host name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** Maximum addresses to try per host. */
const ADDRESSES_MAX = 8

/** DNS lookups cannot be cancelled: hanging ones must not pile up. */
const LOOKUPS_MAX = 64

/** Delay before the next address of a host is tried in parallel with one that does not respond. */
const NEXT_ADDRESS_MS = 1000

/**
 * Opens connections. A name is resolved once, non-public addresses are excluded unless the
 * operator allows them, and the connection goes to one of the remaining addresses: later DNS changes have no effect.
 */
export class Outbound {
  readonly #allowed: AllowedAddresses
  readonly #resolve: ResolveHost
  #lookupCount = 0

  constructor(parts: { readonly allowed: AllowedAddresses; readonly resolve?: ResolveHost }) {
    this.#allowed = parts.allowed
    this.#resolve = parts.resolve ?? resolveHost
  }

  /** Connects; the caller sets a deadline through `signal`. Throws {@link OutboundError}. */
  async dial(target: OutboundTarget, signal: AbortSignal): Promise<Socket> {
    const addresses = await this.#addressesOf(target.host, signal)
    const socket = connect({
      ...target,
      lookup: answerWith(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    })
    await untilEvent({ socket, event: 'connect', signal, otherwise: 'unreachable' })
    return socket
  }

  /** Connects with TLS and verifies the certificate against the host. Throws {@link OutboundError}. */
  async dialTls(target: OutboundTarget, signal: AbortSignal): Promise<TLSSocket> {
    const { host } = target
    const plain = await this.dial(target, signal)
    const socket = startTls({ socket: plain, host, servername: isIP(host) === 0 ? host : '' })
    await untilEvent({ socket, event: 'secureConnect', signal, otherwise: 'tls' })
    return socket
  }

  async #addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const found = isIP(host) === 0 ? await this.#lookup(host, signal) : [host]
    const addresses = found.filter((address) => mayConnectTo(address, this.#allowed))
    if (addresses.length === 0) throw new OutboundError(found.length === 0 ? 'no-address' : 'refused-address')
    return addresses.slice(0, ADDRESSES_MAX)
  }

  async #lookup(host: string, signal: AbortSignal): Promise<readonly string[]> {
    if (this.#lookupCount >= LOOKUPS_MAX) throw new OutboundError('timeout', 'lookups')
    this.#lookupCount++
    const addresses = this.#resolve(host)
      .catch((error: unknown) => {
        throw new OutboundError('no-address', codeOf(error))
      })
      .finally(() => this.#lookupCount--)
    return await untilAborted(addresses, signal)
  }
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** A DNS lookup function for sockets that returns the addresses already resolved and checked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, _options, callback) => callback(null, answer)
}

async function untilEvent(of: {
  readonly socket: Socket
  readonly event: 'connect' | 'secureConnect'
  readonly signal: AbortSignal
  readonly otherwise: OutboundFailure
}): Promise<void> {
  const { socket, event, signal, otherwise } = of
  try {
    // A peer that disconnects during a handshake closes the socket without an error.
    const closed = once(socket, 'close', { signal }).then(() => {
      throw new OutboundError(otherwise)
    })
    await Promise.race([once(socket, event, { signal }), closed])
  } catch (error) {
    socket.on('error', () => undefined).destroy()
    throw signal.aborted ? new OutboundError('timeout') : new OutboundError(otherwise, codeOf(error))
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(new OutboundError('timeout'))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** The error code from Node.js or OpenSSL; never text from the peer. */
function codeOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : undefined
}

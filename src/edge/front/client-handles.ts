import { randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { writeHandle } from './first-bytes.ts'

/** Bytes of a handle, which replaces an IPv6 address. */
const HANDLE_BYTES = 16

/** A connection that the front passes on, until it is closed. */
export interface ClientHandle {
  /** First bytes of the connection to the listener. */
  readonly header: Buffer
  /** Releases the handle. */
  remove(): void
}

/**
 * The clients behind the listener's connections. A connection begins with an unguessable handle in place of the address of
 * a PROXY header, so that a client cannot impersonate another one.
 */
export class ClientHandles {
  readonly #clients = new Map<string, string>()

  /** Makes a handle for a client. */
  add(address: string | undefined): ClientHandle {
    const handle = randomBytes(HANDLE_BYTES)
    const key = handle.toString('latin1')
    this.#clients.set(key, plainAddress(address ?? ''))
    return { header: writeHandle(handle), remove: () => void this.#clients.delete(key) }
  }

  /** Clients at the moment. */
  get size(): number {
    return this.#clients.size
  }

  /** The client that a handle stands for. */
  find(handle: ArrayBuffer): string | undefined {
    return this.#clients.get(Buffer.from(handle).toString('latin1'))
  }
}

/** An address without a zone, and IPv4 as such, however the socket was opened. */
export function plainAddress(address: string): string {
  const [withoutZone = ''] = address.split('%')
  const mapped = withoutZone.startsWith('::ffff:') ? withoutZone.slice(7) : ''
  return isIPv4(mapped) ? mapped : withoutZone
}

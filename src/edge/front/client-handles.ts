import { randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { writeHandle } from './first-bytes.ts'

/** Bytes of a handle: as many as an IPv6 address has, in whose place it travels. */
const HANDLE_BYTES = 16

/** A connection that the front passes on, until it is closed. */
export interface ClientHandle {
  /** What the connection to the listener begins with. */
  readonly header: Buffer
  /** The handle stands for nobody any more. */
  remove(): void
}

/**
 * Who the clients behind the listener's connections are. A connection shows a handle that cannot be guessed where a PROXY
 * header has an address, so that no bytes of a client can name another client.
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

  /** The client that a handle stands for. */
  find(handle: ArrayBuffer): string | undefined {
    return this.#clients.get(Buffer.from(handle).toString('latin1'))
  }
}

/** Without a zone, and IPv4 as such, however the socket was opened. */
function plainAddress(address: string): string {
  const [withoutZone = ''] = address.split('%')
  const mapped = withoutZone.startsWith('::ffff:') ? withoutZone.slice(7) : ''
  return isIPv4(mapped) ? mapped : withoutZone
}

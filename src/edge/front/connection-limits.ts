import type { AddressRanges } from '../../kernel/address-ranges.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RoomOptions } from './connection-room.ts'

/** Files, folders and connections of the edge's own: to the query process, ClickHouse, the stores and the journal. */
const RESERVED_DESCRIPTORS = 512

/** The descriptors of one connection: behind the front, HTTP/1.1 is a client, and both ends of a Unix socket. */
const DESCRIPTORS_PER_CONNECTION = { shared: 3, apart: 2, direct: 1 } as const

/** One peer's part of the room; with fewer than {@link SHARE_MIN}, browsers behind one address would lack connections. */
const PEER_SHARE = 1 / 4
const SHARE_MIN = 16

/** A proxy brings the connections of everybody, and must leave some for health checks and other proxies. */
const PROXY_SHARE = 7 / 8

/** An idle connection takes some ten kilobytes; what needs more of them needs more edges. */
const CONNECTIONS_MAX = 32_768

/** The maximum connections of a port: fewer where the process may not open so many files. */
export function connectionsMaxOf(http2: Settings['http2'], openFilesMax: number): number {
  const way = http2 === 'on' ? 'shared' : http2 === 'off' ? 'direct' : 'apart'
  const reserved = Math.min(RESERVED_DESCRIPTORS, Math.floor(openFilesMax / 2))
  const possible = Math.floor((openFilesMax - reserved) / DESCRIPTORS_PER_CONNECTION[way])
  return Math.max(1, Math.min(CONNECTIONS_MAX, possible))
}

/** The room of a port, with the shares of peers. */
export function roomOptions(connectionsMax: number, trustedProxies: AddressRanges): RoomOptions {
  const peerMax = Math.max(SHARE_MIN, Math.floor(connectionsMax * PEER_SHARE))
  const proxyMax = Math.max(SHARE_MIN, Math.floor(connectionsMax * PROXY_SHARE))
  return { connectionsMax, shareOf: (peer) => (trustedProxies.includes(peer) ? proxyMax : peerMax) }
}

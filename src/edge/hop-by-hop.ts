import { EDGE_NOTE_HEADERS } from '../rpc/edge-notes.ts'

/** Headers that speak of one connection and not of the message (RFC 9110 section 7.6.1, RFC 9113 section 8.2.2), and the notes of the query process. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  ...Object.values(EDGE_NOTE_HEADERS),
])

/** True for a header that must not be forwarded; `te` stays, because gRPC requires it. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name)
}

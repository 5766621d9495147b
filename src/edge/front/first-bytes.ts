/** What the first bytes of a connection announce; `undefined` while more are needed to tell. */
export type Announced = 'http1' | 'http2' | 'proxy' | undefined

/** RFC 9113 section 3.4: every HTTP/2 connection begins with these bytes. */
const HTTP2_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** The PROXY protocol, version 2, section 2.2. */
export const PROXY_SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

/** Tells the protocol of a connection from its first bytes; everything that is nothing else is left to HTTP/1.1. */
export function readFirstBytes(bytes: Buffer): Announced {
  if (startsAlike(bytes, HTTP2_PREFACE)) return bytes.length < HTTP2_PREFACE.length ? undefined : 'http2'
  if (startsAlike(bytes, PROXY_SIGNATURE)) return bytes.length < PROXY_SIGNATURE.length ? undefined : 'proxy'
  return 'http1'
}

/** True when neither of both contradicts the other in the length that they share. */
function startsAlike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length)
  return bytes.compare(signature, 0, length, 0, length) === 0
}

/** Every proper beginning of a request line, from its first letter to the last byte before its end. */
const UNFINISHED_REQUEST_LINE =
  /^[A-Z]{1,16}(?: (?:\/[^\s]*(?: (?:H(?:T(?:T(?:P(?:\/(?:1(?:\.(?:1\r?)?)?)?)?)?)?)?)?)?)?)?$/

/** A longer one is refused anyhow. */
const REQUEST_LINE_BYTES_MAX = 8192

/** True when bytes may be the beginning of a request line and nothing more. */
export function mayBeUnfinishedRequestLine(bytes: Buffer): boolean {
  return bytes.length <= REQUEST_LINE_BYTES_MAX && UNFINISHED_REQUEST_LINE.test(bytes.toString('latin1'))
}

/** Copies go by words, up to three bytes beyond a text. */
const SLACK_BYTES = 4

/** A text that many rows have, with its UTF-8 bytes: it is encoded once. Plain data. Speed: `task/browser-json-100`. */
export interface StockText {
  readonly text: string
  /** The bytes, and some more. */
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Length in bytes. */
  readonly length: number
}

/** Encodes a text. */
export function stockText(text: string): StockText {
  const encoded = Buffer.from(text)
  const bytes = new Uint8Array(encoded.length + SLACK_BYTES)
  bytes.set(encoded)
  return { text, bytes, view: new DataView(bytes.buffer), length: encoded.length }
}

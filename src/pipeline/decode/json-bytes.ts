const COLON = 0x3a

/** The offset of the first byte at or after `at` that is not white space. */
export function blank(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0
  return byte > 0x20 ? at : skipBlank(bytes, at)
}

function skipBlank(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
    at++
  }
}

/** The offset of the value after a colon; -1 when there is no colon. */
export function colon(bytes: Uint8Array, start: number): number {
  const at = blank(bytes, start)
  return bytes[at] === COLON ? blank(bytes, at + 1) : -1
}

/** Both names of a field, with quotes. */
export interface FieldName {
  readonly camel: QuotedName
  readonly snake: QuotedName
}

/** A name with quotes. Its length is a number of its own, because asking a DataView for it is a call. */
interface QuotedName {
  readonly view: DataView
  readonly length: number
}

/** The end of a quoted name at `at`, whose first three letters are already compared; -1 when it is another name. */
export function findNameEnd(view: DataView, at: number, { camel, snake }: FieldName): number {
  if (isNameAt(view, at, camel)) return at + camel.length
  return isNameAt(view, at, snake) ? at + snake.length : -1
}

/** Whether the bytes at `at` equal a name, ignoring the first four. */
function isNameAt(view: DataView, at: number, { view: name, length }: QuotedName): boolean {
  const last = length - 4
  for (let offset = 4; offset < last; offset += 4) {
    if (view.getInt32(at + offset, true) !== name.getInt32(offset, true)) return false
  }
  return view.getInt32(at + last, true) === name.getInt32(last, true)
}

/** Encodes the names of a field. */
export function fieldName(camel: string, snake: string): FieldName {
  return { camel: quoted(camel), snake: quoted(snake) }
}

function quoted(name: string): QuotedName {
  const bytes = Uint8Array.from(Buffer.from(`"${name}"`))
  return { view: new DataView(bytes.buffer), length: bytes.length }
}

/** Bytes of a field tag and a short number on the wire. */
const NUMBER_BYTES = 8
const OBJECT_BYTES = 4

/**
 * Roughly the bytes of a message on the wire, from its fields, in a fraction of the time that serializing takes. Also takes the
 * plain objects from which messages are made.
 */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + approximateSize(item), 0)
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES
  let bytes = OBJECT_BYTES
  for (const name in value) {
    // `$typeName`, which is not sent.
    if (!name.startsWith('$')) bytes += approximateSize((value as Readonly<Record<string, unknown>>)[name])
  }
  return bytes
}

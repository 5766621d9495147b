import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** A span as a collector sees it. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentId: string
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly startNanos: bigint
  readonly endNanos: bigint
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** 2 is an error. */
  readonly status: number
  readonly resource: Readonly<Record<string, string | number | boolean>>
}

type Fields = ReadonlyMap<number, readonly unknown[]>

const NONE = new Uint8Array()

/** The spans of an `ExportTraceServiceRequest`, read by the numbers of its fields. */
export function decodeSpans(body: Uint8Array): readonly CollectedSpan[] {
  return messages(readFields(body), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1)
    const shared = resource ? readAttributes(resource, 1) : {}
    return messages(resourceSpans, 2).flatMap((scope) =>
      messages(scope, 2).map((span) => toSpan(span, shared)),
    )
  })
}

function toSpan(span: Fields, resource: CollectedSpan['resource']): CollectedSpan {
  const hex = (field: number): string => Buffer.from(bytesOf(span, field)).toString('hex')
  const [status] = messages(span, 15)
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: Buffer.from(bytesOf(span, 5)).toString(),
    kind: Number(span.get(6)?.[0] ?? 0),
    startNanos: BigInt(String(span.get(7)?.[0] ?? 0)),
    endNanos: BigInt(String(span.get(8)?.[0] ?? 0)),
    attributes: readAttributes(span, 9),
    status: Number(status?.get(3)?.[0] ?? 0),
    resource,
  }
}

function readAttributes(fields: Fields, field: number): Record<string, string | number | boolean> {
  const pairs = messages(fields, field).map((pair): [string, string | number | boolean] => {
    const [value = new Map()] = messages(pair, 2)
    return [Buffer.from(bytesOf(pair, 1)).toString(), readValue(value)]
  })
  return Object.fromEntries(pairs)
}

function readValue(value: Fields): string | number | boolean {
  if (value.has(1)) return Buffer.from(bytesOf(value, 1)).toString()
  if (value.has(2)) return Number(value.get(2)?.[0]) === 1
  return Number(value.get(3)?.[0])
}

function bytesOf(fields: Fields, field: number): Uint8Array {
  const found = fields.get(field)?.[0]
  return found instanceof Uint8Array ? found : NONE
}

function messages(fields: Fields, field: number): readonly Fields[] {
  return (fields.get(field) ?? []).flatMap((bytes) =>
    bytes instanceof Uint8Array ? [readFields(bytes)] : [],
  )
}

function readFields(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes)
  const fields = new Map<number, unknown[]>()
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    fields.set(field, [...(fields.get(field) ?? []), readOne(reader, type)])
  }
  return fields
}

function readOne(reader: BinaryReader, type: WireType): unknown {
  if (type === WireType.LengthDelimited) return reader.bytes()
  if (type === WireType.Varint) return reader.uint64()
  if (type === WireType.Bit64) return reader.fixed64()
  if (type === WireType.Bit32) return reader.fixed32()
  throw new Error(`no field of a trace has the wire type ${type}`)
}

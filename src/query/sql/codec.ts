/** A value that the client can send as a parameter; the client escapes it. */
export type ParamValue = string | number | boolean | bigint | readonly ParamValue[]

/** The encoding of a ClickHouse type as a query parameter, and its decoding from a cell of a JSON answer. */
export interface Codec<T> {
  /** Name of the type in a placeholder: `{name:TYPE}`. */
  readonly type: string
  /** The parameter as the client takes it. */
  encode(value: T): ParamValue
  /** The cell as `FORMAT JSONCompactEachRow` writes it. Throws on a cell of another type. */
  decode(cell: unknown): T
}

function expectString(cell: unknown): string {
  if (typeof cell === 'string') return cell
  throw new TypeError(`expected a string cell, got ${typeof cell}`)
}

function expectNumber(cell: unknown): number {
  if (typeof cell === 'number') return cell
  throw new TypeError(`expected a number cell, got ${typeof cell}`)
}

/** Text. */
export const stringCodec: Codec<string> = {
  type: 'String',
  encode: (value) => value,
  decode: expectString,
}

/** UUID text in lower case. */
export const uuidCodec: Codec<string> = { type: 'UUID', encode: (value) => value, decode: expectString }

/** Numbers from 0 to 2^32 - 1. */
export const uint32Codec: Codec<number> = { type: 'UInt32', encode: (value) => value, decode: expectNumber }

/** 64-bit integers that fit a safe integer: counts and milliseconds. */
export const int64Codec: Codec<number> = {
  type: 'Int64',
  encode: (value) => value,
  decode: (cell) => {
    const number = Number(expectString(cell))
    if (!Number.isSafeInteger(number)) throw new RangeError('a 64-bit cell is beyond the safe integers')
    return number
  },
}

/** Hashes: exact 64-bit numbers. */
export const uint64Codec: Codec<bigint> = {
  type: 'UInt64',
  encode: (value) => value,
  decode: (cell) => BigInt(expectString(cell)),
}

const NOT_FINITE: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
}

/** Doubles; an answer may have infinities, where a sum is beyond the doubles. */
export const float64Codec: Codec<number> = {
  type: 'Float64',
  encode: (value) => value,
  decode: (cell) =>
    typeof cell === 'string' ? (NOT_FINITE[cell] ?? expectNumber(cell)) : expectNumber(cell),
}

/** A list of doubles. */
export const float64ArrayCodec: Codec<readonly number[]> = arrayCodec(float64Codec)

/** A list of safe integers. */
export const int64ArrayCodec: Codec<readonly number[]> = arrayCodec(int64Codec)

/** A list of lists of safe integers. */
export const int64ArraysCodec: Codec<readonly (readonly number[])[]> = arrayCodec(int64ArrayCodec)

/** A list of hashes. */
export const uint64ArrayCodec: Codec<readonly bigint[]> = arrayCodec(uint64Codec)

/** A list of UUIDs in lower case. */
export const uuidArrayCodec: Codec<readonly string[]> = arrayCodec(uuidCodec)

/** A list of texts. */
export const stringArrayCodec: Codec<readonly string[]> = arrayCodec(stringCodec)

/** A list of dates, as `2026-01-31`. */
export const dateArrayCodec: Codec<readonly string[]> = arrayCodec({
  type: 'Date',
  encode: (value) => value,
  decode: expectString,
})

/** A list of hours, as milliseconds since the Unix epoch: a parameter only. */
export const hourArrayCodec: Codec<readonly number[]> = arrayCodec({
  type: "DateTime('UTC')",
  encode: (ms) => ms / 1000,
  decode: () => {
    throw new TypeError('an hour is not a cell')
  },
})

/** A list of small numbers, from 0 to 255. */
export const uint8ArrayCodec: Codec<readonly number[]> = arrayCodec({ ...uint32Codec, type: 'UInt8' })

/** A list of lists of texts. */
export const stringArraysCodec: Codec<readonly (readonly string[])[]> = arrayCodec(stringArrayCodec)

function arrayCodec<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    type: `Array(${item.type})`,
    encode: (values) => values.map(item.encode),
    decode: (cell) => {
      if (Array.isArray(cell)) return cell.map(item.decode)
      throw new TypeError('expected an array cell')
    },
  }
}

/** A map with text keys, as a cell only: the answer's JSON object. */
export function mapCodec<T>(value: Codec<T>): Codec<Readonly<Record<string, T>>> {
  return {
    type: `Map(String, ${value.type})`,
    encode: () => {
      throw new TypeError('a map is not a parameter')
    },
    decode: (cell) => {
      if (typeof cell !== 'object' || cell === null) throw new TypeError('expected a map cell')
      return Object.fromEntries(Object.entries(cell).map(([key, item]) => [key, value.decode(item)]))
    },
  }
}

/** Booleans. */
export const boolCodec: Codec<boolean> = {
  type: 'Bool',
  encode: (value) => value,
  decode: (cell) => {
    if (typeof cell === 'boolean') return cell
    throw new TypeError(`expected a Bool cell, got ${typeof cell}`)
  },
}

/** Exact 64-bit integers. */
export const bigintCodec: Codec<bigint> = {
  type: 'Int64',
  encode: (value) => value,
  decode: (cell) => BigInt(expectString(cell)),
}

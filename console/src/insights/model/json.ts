import type { JsonValue } from '@bufbuild/protobuf'

/** An object in JSON, whose fields may be absent. */
export type Json = Readonly<Record<string, JsonValue | undefined>>

/** A JSON value as an object; an empty one for other values. */
export function recordOf(value: JsonValue | undefined): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

/** A JSON value as a list of objects; an empty one for other values. */
export function listOf(value: JsonValue | undefined): readonly Json[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

/** Fields without those that are 0, which the service replaces by its defaults. */
export function withoutZeros(fields: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0))
}

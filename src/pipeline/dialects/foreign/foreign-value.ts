/** A JSON object of a source. Its names are data: `__proto__` and `constructor` are names like any other. */
export type SourceObject = Readonly<Record<string, unknown>>

/** Whether a value of a source is an object. */
export function isObject(value: unknown): value is SourceObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object, or as one without fields. */
export function objectOf(value: unknown): SourceObject {
  return isObject(value) ? value : {}
}

/** A text that is not empty, or a number as text: sources also use numeric ids. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * A field of an object; `undefined` for names that only its prototype has: their values are functions, which no source has, or the
 * prototype. Speed: `dialect/segment-15`.
 */
export function fieldOf(object: SourceObject, name: string): unknown {
  const value = object[name]
  return typeof value === 'function' || value === Object.prototype ? undefined : value
}

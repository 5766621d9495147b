import type { Properties } from './api.ts'

/** A value as the wire has it. */
export type PropertyValue = Readonly<Record<string, string | number | boolean>>

/** The service refuses longer texts, and with them the whole batch. */
const TEXT_CODE_POINTS_MAX = 1024

/** Names of custom properties: 200 code points that are no halves of pairs; those with a dollar are the page's. */
export const CUSTOM_KEY = /^[^$\p{Cs}]\P{Cs}{0,199}$/u

/** The service takes 256 keys, those of the page included. */
const KEYS_MAX = 240

/** Names of events that the service accepts. */
export const isKind = (kind: string): boolean => {
  return /^(?!service\.)[\w.-]{1,200}$/.test(kind)
}

/** The properties as the wire has them, without those that the service would refuse; `start` goes before each name. */
export const encodeProperties = (properties: Properties, start = ''): Record<string, PropertyValue> => {
  const encoded: Record<string, PropertyValue> = {}
  let keyCount = 0
  for (const [key, value] of Object.entries(properties)) {
    const wire = encodeValue(value)
    if (wire && CUSTOM_KEY.test(key) && keyCount++ < KEYS_MAX) encoded[start + key] = wire
  }
  return encoded
}

/** A value as the wire has it; `undefined` for what has no form there. */
export const encodeValue = (value: unknown): PropertyValue | undefined => {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { intValue: `${value}` }
    return Number.isFinite(value) ? { doubleValue: value } : undefined
  }
  if (value instanceof Date) {
    // A date that is no time gives null.
    const timestampValue = value.toJSON()
    return timestampValue ? { timestampValue } : undefined
  }
  const isText = typeof value === 'string'
  if (!isText && (!value || typeof value !== 'object')) return undefined
  const codePoints = [...(isText ? value : JSON.stringify(value))]
  // A cut JSON text would be none.
  if (!isText && codePoints[TEXT_CODE_POINTS_MAX]) return undefined
  return {
    stringValue: codePoints
      .slice(0, TEXT_CODE_POINTS_MAX)
      .join('')
      .replace(/\p{Cs}/gu, '?'),
  }
}

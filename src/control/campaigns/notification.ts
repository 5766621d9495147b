import { invalidField } from '../invalid-field.ts'

/** A JSON object. */
export type JsonFields = Readonly<Record<string, unknown>>

/** A notification: what devices display, and data for their apps. */
export interface Notification {
  /** Displayed to the user; empty for a data message. */
  readonly shown: { readonly title?: string; readonly body?: string; readonly image?: string }
  /** For the app. */
  readonly data: Readonly<Record<string, string>>
  /** Platform settings in the push service's format: `android`, `apns`, `webpush`, `fcm_options`. */
  readonly platforms: Readonly<Partial<Record<PlatformField, JsonFields>>>
}

const FIELD = 'notificationData'
const SHOWN_FIELDS = ['title', 'body', 'image'] as const
const PLATFORM_FIELDS = ['android', 'apns', 'webpush', 'fcm_options'] as const
type PlatformField = (typeof PLATFORM_FIELDS)[number]

/** The push service's limit of one message, data and texts together. */
const BYTES_MAX = 4096

/** Names reserved by the push service. */
const RESERVED = /^(from|notification|message_type|collapse_key|google\..*|gcm\..*|google|gcm)$/

/**
 * Parses `{title, body, image, data, android, apns, webpush, fcm_options}`; the three texts may also be in an object
 * `notification`. Any other field is passed to the app as data: a text unchanged, other values as JSON. Throws
 * `invalid_argument` for an empty notification.
 */
export function parseNotification(bytes: Uint8Array): {
  readonly text: string
  readonly parsed: Notification
} {
  if (bytes.length > BYTES_MAX) throw invalidField(FIELD, `must not exceed ${BYTES_MAX} bytes`)
  const text = decodeText(bytes)
  return { text, parsed: readNotification(text) }
}

/** Parses the stored text of a notification. Throws as {@link parseNotification}. */
export function readNotification(text: string): Notification {
  const fields = parseObject(text)
  const { notification = {}, data = {}, ...rest } = fields
  const nested = requireObject(notification, 'notification')
  const shown = readShown({ ...nested, ...fields })
  const platforms = readPlatforms(rest)
  const known: ReadonlySet<string> = new Set([...SHOWN_FIELDS, ...PLATFORM_FIELDS])
  const others = Object.entries(rest).filter(([name]) => !known.has(name))
  const all = readData([...others, ...Object.entries(requireObject(data, 'data'))])
  const isEmpty = shown.title === undefined && shown.body === undefined && Object.keys(all).length === 0
  if (isEmpty) throw invalidField(FIELD, 'must have a title, a body or data')
  return { shown, data: all, platforms }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidField(FIELD, 'is not UTF-8')
  }
}

function parseObject(text: string): JsonFields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidField(FIELD, 'is not JSON')
  }
  return requireObject(value, 'the notification')
}

function readShown(fields: JsonFields): Notification['shown'] {
  const texts = SHOWN_FIELDS.flatMap((name): [name: string, text: string][] => {
    const value = fields[name]
    if (value === undefined || value === null || value === '') return []
    if (typeof value !== 'string') throw invalidField(FIELD, `${name} must be a text`)
    return [[name, value]]
  })
  return Object.fromEntries(texts)
}

function readPlatforms(fields: JsonFields): Notification['platforms'] {
  const present = PLATFORM_FIELDS.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, requireObject(fields[name], name)]))
}

function readData(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  const texts = entries
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => {
      if (RESERVED.test(name)) throw invalidField(FIELD, `data must not use the reserved name ${name}`)
      return [name, typeof value === 'string' ? value : JSON.stringify(value)]
    })
  return Object.fromEntries(texts)
}

function requireObject(value: unknown, name: string): JsonFields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw invalidField(FIELD, `${name} must be a JSON object`)
}

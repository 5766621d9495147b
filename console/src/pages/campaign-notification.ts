/** The notification of a campaign, as a form edits it. */
export interface NotificationDraft {
  readonly title: string
  readonly body: string
  readonly image: string
  /** All other fields as JSON; empty for none. */
  readonly more: string
}

type Fields = Readonly<Record<string, unknown>>

/** An empty notification. */
export const NEW_NOTIFICATION: NotificationDraft = { title: '', body: '', image: '', more: '' }

/** Reads `notification_data`; texts may also stand in an object `notification`. */
export function readNotification(bytes: Uint8Array): NotificationDraft {
  const fields = parseObject(new TextDecoder().decode(bytes)) ?? {}
  const { title, body, image, notification, ...rest } = fields
  const nested = isObject(notification) ? notification : {}
  const more = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, undefined, 2)
  return {
    title: textOf(title ?? nested.title),
    body: textOf(body ?? nested.body),
    image: textOf(image ?? nested.image),
    more,
  }
}

/** The bytes of a notification; `undefined` if its other fields are no JSON object. */
export function encodeNotification({ more, ...texts }: NotificationDraft): Uint8Array | undefined {
  const rest = more.trim() === '' ? {} : parseObject(more)
  if (!rest) return undefined
  const shown = Object.entries(texts).filter(([, text]) => text !== '')
  return new TextEncoder().encode(JSON.stringify({ ...Object.fromEntries(shown), ...rest }))
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

import { createHash } from 'node:crypto'
import type { JsonFields, Notification } from '../campaigns/notification.ts'
import type { Platform, PushTarget } from '../devices/devices.ts'

/** A campaign's notification to one device. */
export interface MessageParts {
  readonly campaignId: string
  readonly notification: Notification
  readonly target: PushTarget
}

/**
 * The body of `messages:send`. The data contains `campaign_id` and `message_id` for the app's delivery reports. A visible
 * notification has the campaign as its tag, so that a duplicate replaces it.
 */
export function composeMessage({ campaignId, notification, target }: MessageParts): object {
  const { shown, data, platforms } = notification
  const ids = { campaign_id: campaignId, message_id: messageIdOf({ campaignId, deviceId: target.deviceId }) }
  const isShown = shown.title !== undefined || shown.body !== undefined
  const block = BLOCKS[target.platform]
  const settings = platforms[block.name] ?? {}
  const tagged = isShown ? block.tag(settings, campaignId) : settings
  return {
    message: {
      token: target.token,
      ...(isShown ? { notification: shown } : {}),
      data: { ...data, ...ids },
      ...(Object.keys(tagged).length === 0 ? {} : { [block.name]: tagged }),
      ...(platforms.fcm_options ? { fcm_options: platforms.fcm_options } : {}),
    },
  }
}

interface PlatformBlock {
  readonly name: 'android' | 'apns' | 'webpush'
  readonly tag: (settings: JsonFields, tag: string) => JsonFields
}

const tagNotification: PlatformBlock['tag'] = (settings, tag) => ({
  ...settings,
  notification: { tag, ...fieldsOf(settings.notification) },
})

const BLOCKS = {
  android: { name: 'android', tag: tagNotification },
  web: { name: 'webpush', tag: tagNotification },
  ios: {
    name: 'apns',
    tag: (settings, tag) => ({
      ...settings,
      headers: { 'apns-collapse-id': tag, ...fieldsOf(settings.headers) },
    }),
  },
} as const satisfies Record<Platform, PlatformBlock>

function fieldsOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

const MESSAGE_ID_CHARACTERS = 32

/** The id of a campaign's message to a device: stable across retries, and derivable by the device. */
export function messageIdOf(of: { readonly campaignId: string; readonly deviceId: string }): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([of.campaignId, of.deviceId]))
    .digest('hex')
  return digest.slice(0, MESSAGE_ID_CHARACTERS)
}

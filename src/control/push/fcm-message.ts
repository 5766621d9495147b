import type { JsonFields, Notification } from '../campaigns/notification.ts'
import type { Platform, PushTarget } from '../devices/devices.ts'
import { messageIdOf } from './message-id.ts'

/** A campaign's notification for one device. */
export interface MessageParts {
  readonly campaignId: string
  readonly notification: Notification
  readonly target: PushTarget
}

/**
 * The body of `messages:send`. The app finds `campaign_id` and `message_id` in the data, to report with. A notification
 * that is shown carries the campaign as its tag: one that arrives twice replaces itself.
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

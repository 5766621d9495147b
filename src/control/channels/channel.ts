import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { ChannelTable } from '../../store/catalog/schema/channel-tables.ts'

/** The destination of a channel, with its secrets. */
export type ChannelConfig =
  | { readonly kind: 'mail'; readonly addresses: readonly string[] }
  | { readonly kind: 'slack'; readonly url: string }
  | {
      readonly kind: 'webhook'
      readonly url: string
      readonly secret: string
      /** The secret that was replaced, which signs too for a while. */
      readonly previous?: { readonly secret: string; readonly untilMs: number }
    }

/** The destination of the notifications of a project. */
export interface Channel {
  readonly id: string
  readonly projectId: ProjectId
  readonly name: string
  readonly config: ChannelConfig
  readonly isEnabled: boolean
  readonly disabledReason: ChannelTable['disabled_reason']
  /** Failed attempts since the last success. */
  readonly failureCount: number
  /** Time of the first of them; 0 when there is none. */
  readonly failingMs: number
  /** While it fails, the time at which the next attempt may be made, by one delivery. */
  readonly retryMs: number
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of a channel: one of another project is not found. */
export interface ChannelKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** The recipients of a channel: each mail address, or the webhook, which has no name. */
export function recipientsOf({ config }: Pick<Channel, 'config'>): readonly string[] {
  return config.kind === 'mail' ? config.addresses : ['']
}

/** The channel does not exist, or belongs to another project. */
export function channelNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'CHANNEL_NOT_FOUND',
    message: 'there is no channel with this id',
  })
}

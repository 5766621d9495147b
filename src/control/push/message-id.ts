import { createHash } from 'node:crypto'

const HEX_CHARACTERS = 32

/** The id of the one message of a campaign to a device: the same whenever it is sent, and whoever reports on it. */
export function messageIdOf(of: { readonly campaignId: string; readonly deviceId: string }): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([of.campaignId, of.deviceId]))
    .digest('hex')
  return digest.slice(0, HEX_CHARACTERS)
}

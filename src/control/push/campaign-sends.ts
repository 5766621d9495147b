import type { Selectable } from 'kysely'
import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { CampaignSendTable } from '../../store/catalog/schema/mail-and-push-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Devices, PushTarget } from '../devices/devices.ts'

/** The final outcome of sending a campaign to a device. */
export type Settled = Selectable<CampaignSendTable>['outcome']

/** A device of a campaign with its outcome. */
export interface CampaignSend {
  readonly deviceId: string
  readonly platform: CampaignSendTable['platform']
  readonly outcome: Settled
  readonly sentMs: number
}

/** A target with its outcome. */
export interface SettledTarget {
  readonly target: PushTarget
  readonly outcome: Settled
}

/** Records outcomes for devices of the current page, so that a crash does not repeat messages. */
export class CampaignSends {
  readonly #catalog: Catalog
  readonly #clock: Clock
  readonly #devices: Devices

  constructor(parts: { readonly catalog: Catalog; readonly clock: Clock; readonly devices: Devices }) {
    this.#catalog = parts.catalog
    this.#clock = parts.clock
    this.#devices = parts.devices
  }

  /** The settled devices with ids after `after`. */
  async list(of: { readonly campaignId: string; readonly after: string }): Promise<readonly CampaignSend[]> {
    const rows = await this.#catalog
      .selectFrom('campaign_sends')
      .selectAll()
      .where('campaign_id', '=', of.campaignId)
      .where('device_id', '>', of.after)
      .execute()
    return rows.map((row) => ({
      deviceId: row.device_id,
      platform: row.platform,
      outcome: row.outcome,
      sentMs: Number(row.sent_ms),
    }))
  }

  /** Records outcomes, and deactivates devices whose tokens are unregistered. */
  async settle(
    of: { readonly projectId: ProjectId; readonly campaignId: string },
    settled: readonly SettledTarget[],
  ): Promise<void> {
    if (settled.length === 0) return
    const sentMs = this.#clock.nowMs()
    const rows = settled.map(({ target, outcome }) => ({
      campaign_id: of.campaignId,
      device_id: target.deviceId,
      platform: target.platform,
      outcome,
      sent_ms: sentMs,
    }))
    const unregistered = settled.filter(({ outcome }) => outcome === 'unregistered')
    await inTransaction(this.#catalog, async (transaction) => {
      await transaction
        .insertInto('campaign_sends')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      for (const { target } of unregistered) {
        const key = { projectId: of.projectId, deviceId: target.deviceId }
        await this.#devices.retireToken(transaction, key, target.token)
      }
    })
  }

  /** Deletes the records of a campaign. */
  async clear(campaignId: string): Promise<void> {
    await this.#catalog.deleteFrom('campaign_sends').where('campaign_id', '=', campaignId).execute()
  }
}

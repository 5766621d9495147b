import type { Selectable } from 'kysely'
import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DeviceTable } from '../../store/catalog/schema.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { DeviceRoom } from './device-room.ts'

/** The owner of a device, by the id that the client sent. */
export type DeviceOwner =
  | { readonly name: 'external-id'; readonly id: string }
  | { readonly name: 'profile-id'; readonly id: string }

/** Operating system of a device, or a browser. */
export type Platform = DeviceTable['platform']

/** Which device. */
export interface DeviceKey {
  readonly projectId: ProjectId
  readonly deviceId: string
}

/** A device that registers itself. */
export interface Registration extends DeviceKey {
  readonly platform: Platform
  readonly token: string
  /** Absent when nobody is known on it. */
  readonly owner: DeviceOwner | undefined
  /** JSON of facts about the device. */
  readonly properties: string
}

/** A device that notifications are sent to. */
export interface PushTarget {
  readonly deviceId: string
  readonly platform: Platform
  readonly token: string
}

/** What devices are kept with. */
export interface DevicesParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  /** Devices of one project. */
  readonly countMax: number
}

/**
 * The devices of projects. Who has a token can be sent to, and whose a device is is personal: both are kept sealed, and
 * found by keyed digests.
 */
export class Devices {
  readonly #parts: DevicesParts
  readonly #room: DeviceRoom

  constructor(parts: DevicesParts) {
    this.#parts = parts
    this.#room = new DeviceRoom(parts)
  }

  /**
   * Registers a device, or replaces its registration. A token belongs to the device that brought it last. Throws
   * `failed_precondition` when there is no room for a new one.
   */
  async register({ owner, properties, token, platform, ...key }: Registration): Promise<void> {
    const { catalog, clock, sealer } = this.#parts
    const nowMs = clock.nowMs()
    const fields = {
      platform,
      status: 'active',
      owner: owner ? ownerDigest(sealer, key.projectId, owner) : '',
      ...this.#sealToken(key, token),
      sealed_details: sealer.seal({
        purpose: `device-details/${nameOf(key)}`,
        text: JSON.stringify({ owner, properties }),
      }),
      updated_ms: nowMs,
    } as const
    const row = { project_id: key.projectId, device_id: key.deviceId, created_ms: nowMs, ...fields }
    await inTransaction(catalog, async (transaction) => {
      await this.#takeToken(transaction, key, token)
      if (await this.#update(transaction, key, fields)) return
      await this.#room.take(transaction, key.projectId)
      await transaction
        .insertInto('devices')
        .values(row)
        .onConflict((conflict) => conflict.columns(['project_id', 'device_id']).doUpdateSet(fields))
        .execute()
    })
  }

  /** Turns notifications of a device on or off; false when there is no such device. */
  async setStatus(key: DeviceKey, status: DeviceTable['status']): Promise<boolean> {
    return await this.#update(this.#parts.catalog, key, { status })
  }

  /** Replaces the token of a device; false when there is no such device. */
  async setToken(key: DeviceKey, token: string): Promise<boolean> {
    return await inTransaction(this.#parts.catalog, async (transaction) => {
      const isThere = await this.#update(transaction, key, this.#sealToken(key, token))
      // Only then: a device that is not there takes nothing from another one.
      if (isThere) await this.#takeToken(transaction, key, token)
      return isThere
    })
  }

  /** Active devices of a project after one of them, in the order of their ids. */
  async listActive({ projectId, deviceId }: DeviceKey, countMax: number): Promise<readonly PushTarget[]> {
    const rows = await this.#parts.catalog
      .selectFrom('devices')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('device_id', '>', deviceId)
      .where('status', '=', 'active')
      .orderBy('device_id')
      .limit(countMax)
      .execute()
    return rows.map((row) => this.#open(projectId, row))
  }

  /** Stops sending to a token that its provider no longer knows, unless the device has another one by now. */
  async retireToken(catalog: Catalog, key: DeviceKey, token: string): Promise<void> {
    await catalog
      .updateTable('devices')
      .set({ status: 'inactive', updated_ms: this.#parts.clock.nowMs() })
      .where('project_id', '=', key.projectId)
      .where('device_id', '=', key.deviceId)
      .where('token_digest', '=', this.#digestToken(key, token))
      .execute()
  }

  /** Ids of the devices of somebody, by any of their names. */
  async listOwned(of: {
    readonly projectId: ProjectId
    readonly owners: readonly DeviceOwner[]
  }): Promise<readonly string[]> {
    const { catalog, sealer } = this.#parts
    const ids: string[] = []
    for (const owner of of.owners) {
      const rows = await catalog
        .selectFrom('devices')
        .select('device_id')
        .where('project_id', '=', of.projectId)
        .where('owner', '=', ownerDigest(sealer, of.projectId, owner))
        .execute()
      ids.push(...rows.map((row) => row.device_id))
    }
    return ids
  }

  /** Forgets devices, and to which of them a campaign was just sent. */
  async forget(of: { readonly projectId: ProjectId; readonly deviceIds: readonly string[] }): Promise<void> {
    await inTransaction(this.#parts.catalog, async (transaction) => {
      await transaction
        .deleteFrom('devices')
        .where('project_id', '=', of.projectId)
        .where('device_id', 'in', of.deviceIds)
        .execute()
      await transaction
        .deleteFrom('campaign_sends')
        .where('device_id', 'in', of.deviceIds)
        .where('campaign_id', 'in', ({ selectFrom }) =>
          selectFrom('campaigns').select('id').where('project_id', '=', of.projectId),
        )
        .execute()
    })
  }

  async #update(
    catalog: Catalog,
    { projectId, deviceId }: DeviceKey,
    fields: Partial<Omit<DeviceTable, 'project_id' | 'device_id' | 'created_ms' | 'updated_ms'>>,
  ): Promise<boolean> {
    const updated = await catalog
      .updateTable('devices')
      .set({ ...fields, updated_ms: this.#parts.clock.nowMs() })
      .where('project_id', '=', projectId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst()
    return updated.numUpdatedRows > 0n
  }

  /** An app that was installed anew has another device id and may have the same token: one of them is sent to. */
  async #takeToken(transaction: Catalog, key: DeviceKey, token: string): Promise<void> {
    await transaction
      .updateTable('devices')
      .set({ status: 'inactive', updated_ms: this.#parts.clock.nowMs() })
      .where('project_id', '=', key.projectId)
      .where('token_digest', '=', this.#digestToken(key, token))
      .where('device_id', '!=', key.deviceId)
      .where('status', '=', 'active')
      .execute()
  }

  #sealToken(key: DeviceKey, token: string): Pick<DeviceTable, 'token_digest' | 'sealed_token'> {
    return {
      token_digest: this.#digestToken(key, token),
      sealed_token: this.#parts.sealer.seal({ purpose: `device-token/${nameOf(key)}`, text: token }),
    }
  }

  #digestToken({ projectId }: DeviceKey, token: string): string {
    return this.#parts.sealer.digest({ purpose: `device-token/${projectId}`, text: token })
  }

  #open(projectId: ProjectId, row: Selectable<DeviceTable>): PushTarget {
    const deviceId = row.device_id
    const purpose = `device-token/${nameOf({ projectId, deviceId })}`
    return {
      deviceId,
      platform: row.platform,
      token: this.#parts.sealer.unseal({ purpose, sealed: row.sealed_token }),
    }
  }
}

function nameOf({ projectId, deviceId }: DeviceKey): string {
  return `${projectId}/${deviceId}`
}

/** The digest by which the devices of an owner are found: the id itself is stored sealed. */
function ownerDigest(sealer: Sealer, projectId: ProjectId, { name, id }: DeviceOwner): string {
  return sealer.digest({ purpose: `device-owner/${projectId}/${name}`, text: id })
}

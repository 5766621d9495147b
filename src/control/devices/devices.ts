import type { JsonObject } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DeviceTable } from '../../store/catalog/schema/mail-and-push-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { DeviceLimit } from './device-limit.ts'

/** The owner of a device, by the id that the client sent. */
export type DeviceOwner =
  | { readonly name: 'external-id'; readonly id: string }
  | { readonly name: 'profile-id'; readonly id: string }

/** Platform of a device. */
export type Platform = DeviceTable['platform']

/** Key of a device. */
export interface DeviceKey {
  readonly projectId: ProjectId
  readonly deviceId: string
}

/** Registration of a device. */
export interface Registration extends DeviceKey {
  readonly platform: Platform
  readonly token: string
  /** Absent when unknown. */
  readonly owner: DeviceOwner | undefined
  /** JSON of the device's properties. */
  readonly properties: string
}

/** A recipient of notifications. */
export interface PushTarget {
  readonly deviceId: string
  readonly platform: Platform
  readonly token: string
}

/** What is known about a device, without its token. */
export interface DeviceFacts {
  readonly deviceId: string
  readonly platform: DeviceTable['platform']
  readonly status: DeviceTable['status']
  /** Milliseconds since the Unix epoch. */
  readonly createdMs: number
  readonly updatedMs: number
  /** As the app sent them. */
  readonly properties: JsonObject
}

/** Dependencies of devices. */
export interface DevicesParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  /** Maximum devices per project. */
  readonly countMax: number
}

/**
 * The devices of projects. Tokens allow sending, and owners are personal data: both are stored sealed, and looked up by keyed
 * digests.
 */
export class Devices {
  readonly #parts: DevicesParts
  readonly #limit: DeviceLimit

  constructor(parts: DevicesParts) {
    this.#parts = parts
    this.#limit = new DeviceLimit(parts)
  }

  /**
   * Registers a device, or replaces its registration. A token belongs to the device that registered it last. Throws
   * `failed_precondition` at the project's limit.
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
      await this.#limit.take(transaction, key.projectId)
      await transaction
        .insertInto('devices')
        .values(row)
        .onConflict((conflict) => conflict.columns(['project_id', 'device_id']).doUpdateSet(fields))
        .execute()
    })
  }

  /** Activates or deactivates a device; false for an unknown device. */
  async setStatus(key: DeviceKey, status: DeviceTable['status']): Promise<boolean> {
    return await this.#update(this.#parts.catalog, key, { status })
  }

  /** Replaces the token of a device; false for an unknown device. */
  async setToken(key: DeviceKey, token: string): Promise<boolean> {
    return await inTransaction(this.#parts.catalog, async (transaction) => {
      const isKnown = await this.#update(transaction, key, this.#sealToken(key, token))
      // Only then: an unknown device must not take the token of another one.
      if (isKnown) await this.#takeToken(transaction, key, token)
      return isKnown
    })
  }

  /** Active devices of a project with ids after `deviceId`, in order. */
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

  /** Deactivates a device whose token is unregistered, unless it has a new token by now. */
  async retireToken(catalog: Catalog, key: DeviceKey, token: string): Promise<void> {
    await catalog
      .updateTable('devices')
      .set({ status: 'inactive', updated_ms: this.#parts.clock.nowMs() })
      .where('project_id', '=', key.projectId)
      .where('device_id', '=', key.deviceId)
      .where('token_digest', '=', this.#digestToken(key, token))
      .execute()
  }

  /** Ids of the devices of any of the owners. */
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

  /** Facts about devices, in the order of their ids; unknown ones are absent. */
  async describe(of: {
    readonly projectId: ProjectId
    readonly deviceIds: readonly string[]
  }): Promise<readonly DeviceFacts[]> {
    if (of.deviceIds.length === 0) return []
    const rows = await this.#parts.catalog
      .selectFrom('devices')
      .selectAll()
      .where('project_id', '=', of.projectId)
      .where('device_id', 'in', of.deviceIds)
      .orderBy('device_id')
      .execute()
    return rows.map((row) => ({
      deviceId: row.device_id,
      platform: row.platform,
      status: row.status,
      createdMs: row.created_ms,
      updatedMs: row.updated_ms,
      properties: this.#openProperties(of.projectId, row),
    }))
  }

  /** Deletes devices, and their records of running campaigns. */
  async delete(of: { readonly projectId: ProjectId; readonly deviceIds: readonly string[] }): Promise<void> {
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

  /** A reinstalled app has a new device id and possibly the same token: only the new device stays active. */
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

  #openProperties(projectId: ProjectId, row: Selectable<DeviceTable>): JsonObject {
    const purpose = `device-details/${nameOf({ projectId, deviceId: row.device_id })}`
    const details = JSON.parse(this.#parts.sealer.unseal({ purpose, sealed: row.sealed_details }))
    return JSON.parse(details.properties)
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

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { asProjectId, isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireWithinLimit } from '../../store/catalog/row-limit.ts'
import type { ChannelTable } from '../../store/catalog/schema/channel-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type Channel, type ChannelConfig, type ChannelKey, channelNotFound } from './channel.ts'

/** Bounds lists of channels, which have no pages. */
const CHANNELS_PER_PROJECT_MAX = 50

/** Dependencies of the channels. */
export interface ChannelsParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
}

/** The channels of projects; their destinations are stored sealed. */
export class Channels {
  readonly #catalog: Catalog
  readonly #clock: Clock
  readonly #sealer: Sealer

  constructor({ catalog, clock, sealer }: ChannelsParts) {
    this.#catalog = catalog
    this.#clock = clock
    this.#sealer = sealer
  }

  /** The channels of a project, by name. */
  async list(projectId: ProjectId, within: Catalog = this.#catalog): Promise<readonly Channel[]> {
    const rows = await within
      .selectFrom('channels')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('name')
      .orderBy('id')
      .execute()
    return rows.map((row) => this.#open(row))
  }

  /** One channel. Throws `not_found`. */
  async read(key: ChannelKey, within: Catalog = this.#catalog): Promise<Channel> {
    const row = await within
      .selectFrom('channels')
      .selectAll()
      .where('id', '=', parseId(key.id))
      .where('project_id', '=', key.projectId)
      .executeTakeFirst()
    if (!row) throw channelNotFound()
    return this.#open(row)
  }

  /** Creates a channel. Throws `failed_precondition` at the project's limit. */
  async create(projectId: ProjectId, { name, config }: Pick<Channel, 'name' | 'config'>): Promise<Channel> {
    const nowMs = this.#clock.nowMs()
    const id = randomUUID()
    const row: ChannelTable = {
      id,
      project_id: projectId,
      name,
      sealed_config: this.#seal(id, config),
      enabled: 1,
      disabled_reason: '',
      failures: 0,
      failing_ms: 0,
      retry_ms: 0,
      created_ms: nowMs,
      updated_ms: nowMs,
    }
    return await inTransaction(this.#catalog, async (transaction) => {
      await transaction.insertInto('channels').values(row).execute()
      await requireWithinLimit(transaction, {
        table: 'channels',
        projectId,
        countMax: CHANNELS_PER_PROJECT_MAX,
      })
      return this.#open(row)
    })
  }

  /**
   * Changes a channel: `change` gets the stored one and returns what it becomes. Enabling it forgets its failures. Throws
   * `not_found`.
   */
  async update(
    key: ChannelKey,
    change: (stored: Channel) => Pick<Channel, 'name' | 'config' | 'isEnabled'>,
  ): Promise<Channel> {
    return await inTransaction(this.#catalog, async (transaction) => {
      const stored = await this.read(key, transaction)
      const { name, config, isEnabled } = change(stored)
      const isBack = isEnabled && !stored.isEnabled
      const row = await transaction
        .updateTable('channels')
        .set({
          name,
          ...(isDeepStrictEqual(config, stored.config)
            ? {}
            : { sealed_config: this.#seal(stored.id, config) }),
          enabled: isEnabled ? 1 : 0,
          ...(isBack ? { ...HEALTHY, disabled_reason: '' } : {}),
          updated_ms: this.#clock.nowMs(),
        })
        .where('id', '=', stored.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return this.#open(row)
    })
  }

  /** Deletes a channel with its deliveries. Throws `not_found`. */
  async remove(key: ChannelKey): Promise<void> {
    const deleted = await this.#catalog
      .deleteFrom('channels')
      .where('id', '=', parseId(key.id))
      .where('project_id', '=', key.projectId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw channelNotFound()
  }

  /** Reserves the next attempt of a failing channel for one delivery; false when another one has it. */
  async reserve({ id, retryMs }: Channel, untilMs: number): Promise<boolean> {
    const updated = await this.#catalog
      .updateTable('channels')
      .set({ retry_ms: untilMs })
      .where('id', '=', id)
      .where('retry_ms', '=', retryMs)
      .executeTakeFirst()
    return updated.numUpdatedRows > 0n
  }

  #seal(id: string, config: ChannelConfig): string {
    return this.#sealer.seal({ purpose: channelPurpose(id), text: JSON.stringify(config) })
  }

  #open(row: Selectable<ChannelTable>): Channel {
    const sealed = row.sealed_config
    return {
      id: row.id,
      projectId: asProjectId(row.project_id),
      name: row.name,
      config: JSON.parse(this.#sealer.unseal({ purpose: channelPurpose(row.id), sealed })),
      isEnabled: row.enabled === 1,
      disabledReason: row.disabled_reason,
      failureCount: row.failures,
      failingMs: Number(row.failing_ms),
      retryMs: Number(row.retry_ms),
      createdMs: Number(row.created_ms),
      updatedMs: Number(row.updated_ms),
    }
  }
}

/** The fields of a channel whose last attempt succeeded. */
export const HEALTHY = { failures: 0, failing_ms: 0, retry_ms: 0 } as const

/** What the sealed text of the row is sealed for. */
export function channelPurpose(id: string): string {
  return `channel/${id}`
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
function parseId(id: string): string {
  if (!isCanonicalUuid(id)) throw channelNotFound()
  return id
}

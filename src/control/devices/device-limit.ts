import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** Dependencies of the limit. */
export interface DeviceLimitParts {
  readonly clock: Clock
  /** Maximum devices per project. */
  readonly countMax: number
}

/** Devices without an update for this long are stale: Firebase expires tokens of Android after the same time. */
const STALE_AFTER_MS = 270 * 24 * 3_600_000

/** Stale devices removed at once, so that a full project counts its devices once for many new ones. */
const REMOVED_MAX = 1000

/** Time for which a project counts as full without another count, because anyone with a public key can register devices. */
const FULL_MS = 60_000

/** Maximum cached projects; an evicted one is counted again. */
const PROJECTS_MAX = 10_000

interface Known {
  /** New devices before the next count. */
  readonly left: number
  /** Until when the project counts as full. */
  readonly fullUntilMs: number
}

/**
 * Limits the devices of a project. A new device replaces an inactive one or one without an update for 270 days, the stalest
 * first, and never an active one, because anyone with the public key can register devices. One count covers half of the
 * remaining room, so that concurrent processes exceed the limit only slightly.
 */
export class DeviceLimit {
  readonly #parts: DeviceLimitParts
  readonly #known = new LRUCache<ProjectId, Known>(entriesUpTo(PROJECTS_MAX))

  constructor(parts: DeviceLimitParts) {
    this.#parts = parts
  }

  /** Makes room for a new device. Throws `failed_precondition` at the limit. */
  async take(transaction: Catalog, projectId: ProjectId): Promise<void> {
    const nowMs = this.#parts.clock.nowMs()
    const known = this.#known.get(projectId)
    if (known && known.fullUntilMs > nowMs) throw this.#full()
    const left = known && known.left > 0 ? known.left : await this.#findRoom(transaction, projectId)
    if (left > 0) {
      this.#known.set(projectId, { left: left - 1, fullUntilMs: 0 })
      return
    }
    this.#known.set(projectId, { left: 0, fullUntilMs: nowMs + FULL_MS })
    throw this.#full()
  }

  async #findRoom(transaction: Catalog, projectId: ProjectId): Promise<number> {
    const { count } = await transaction
      .selectFrom('devices')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    const free = this.#parts.countMax - Number(count)
    const room = free > 0 ? free : free + (await this.#removeStale(transaction, projectId))
    return Math.ceil(room / 2)
  }

  async #removeStale(transaction: Catalog, projectId: ProjectId): Promise<number> {
    const staleBeforeMs = this.#parts.clock.nowMs() - STALE_AFTER_MS
    const removed = await transaction
      .deleteFrom('devices')
      .where('project_id', '=', projectId)
      .where('device_id', 'in', ({ selectFrom }) =>
        selectFrom('devices as stale')
          .select('stale.device_id')
          .where('stale.project_id', '=', projectId)
          .where(({ or, eb }) =>
            or([eb('stale.status', '=', 'inactive'), eb('stale.updated_ms', '<', staleBeforeMs)]),
          )
          .orderBy('stale.updated_ms')
          .limit(Math.min(REMOVED_MAX, Math.ceil(this.#parts.countMax / 10))),
      )
      .executeTakeFirst()
    return Number(removed.numDeletedRows)
  }

  #full(): ServiceError {
    return new ServiceError({
      code: 'failed_precondition',
      reason: 'LIMIT_REACHED',
      message: `the project has reached its limit of ${this.#parts.countMax} active devices; deactivate some first`,
    })
  }
}

import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import type { RedisStateStore } from '../../store/state/redis-state-store.ts'

/** `warn`: works, but needs attention. `fail`: broken, or a guarantee does not hold. `skip`: cannot be checked now. */
export type FindingStatus = 'ok' | 'warn' | 'fail' | 'skip'

/** The result of a check, in one line. */
export interface Finding {
  readonly status: FindingStatus
  readonly text: string
}

/** The state of ClickHouse: the configured server, or the engine of the data folder. */
export type ClickHouseState =
  | { readonly status: 'answers'; readonly client: ClickHouse }
  | { readonly status: 'silent'; readonly error: string }
  /** No server is configured, and no engine runs. */
  | { readonly status: 'absent' }

/** The installation that checks examine. */
export interface Patient {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Logger
  /** Whether a service runs on the data folder. */
  readonly isServed: boolean
  readonly clickhouse: ClickHouseState
  /** `undefined` without `SERVICE_REDIS_URL`. */
  readonly redis: RedisStateStore | undefined
}

/** Checks one aspect of an installation. A rejection counts as `fail`, with the first line of the error. */
export type Check = (patient: Patient) => Promise<Finding>

/** See {@link FindingStatus}. */
export const ok = (text: string): Finding => ({ status: 'ok', text })

/** See {@link FindingStatus}. */
export const warn = (text: string): Finding => ({ status: 'warn', text })

/** See {@link FindingStatus}. */
export const fail = (text: string): Finding => ({ status: 'fail', text })

/** See {@link FindingStatus}. */
export const skip = (text: string): Finding => ({ status: 'skip', text })

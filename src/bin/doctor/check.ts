import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import type { RedisStateStore } from '../../store/state/redis-state-store.ts'

/** `warn`: it works and should be looked at. `fail`: it does not work, or breaks a promise. `skip`: it cannot be told now. */
export type FindingStatus = 'ok' | 'warn' | 'fail' | 'skip'

/** What a check found, in one line. */
export interface Finding {
  readonly status: FindingStatus
  readonly text: string
}

/** ClickHouse as it is found: the server of the setting, or the engine of the data folder. */
export type ClickHouseState =
  | { readonly status: 'answers'; readonly client: ClickHouse }
  | { readonly status: 'silent'; readonly error: string }
  /** No server is set, and no engine runs. */
  | { readonly status: 'absent' }

/** What checks look at. */
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

/** Looks at one thing. A rejection counts as `fail`, with the error's first line. */
export type Check = (patient: Patient) => Promise<Finding>

/** It is as it should be. */
export const ok = (text: string): Finding => ({ status: 'ok', text })

/** See {@link FindingStatus}. */
export const warn = (text: string): Finding => ({ status: 'warn', text })

/** See {@link FindingStatus}. */
export const fail = (text: string): Finding => ({ status: 'fail', text })

/** See {@link FindingStatus}. */
export const skip = (text: string): Finding => ({ status: 'skip', text })

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A size for people. */
export function describeBytes(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const count = bytes / 1024 ** unit
  return `${unit === 0 ? count : count.toFixed(1)} ${UNITS[unit]}`
}

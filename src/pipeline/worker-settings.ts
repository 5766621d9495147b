import type { LogLevel } from '../kernel/log.ts'

/** What happens to a typed event that breaks its schema. */
export type TypedEventMode = 'observe' | 'enforce' | 'off'

/** What a worker thread is told when it starts; a plain object, because it travels between threads. */
export interface WorkerSettings {
  /** Bytes of a message after decompression. */
  readonly bodyBytesMax: number
  readonly dataDir: string
  readonly redisUrl: string | undefined
  readonly geoipPath: string | undefined
  readonly typedEvents: TypedEventMode
  readonly logLevel: LogLevel
}

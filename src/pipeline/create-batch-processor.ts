import { systemClock } from '../kernel/clock.ts'
import { createLogger, type LogLevel } from '../kernel/log.ts'
import { MeasuredStateStore, type StateCall } from '../store/state/measured-state-store.ts'
import { openStateStore } from '../store/state/open-state-store.ts'
import { BatchProcessor } from './batch-processor.ts'
import { createEnricher } from './enrich/enricher.ts'
import { CookielessIdentity } from './identity/cookieless-identity.ts'
import { DeviceSessions } from './identity/device-sessions.ts'
import type { TypedEventMode } from './typed-events/typed-event-check.ts'

/** Creates the processor of one worker thread, with its state store and enricher. Takes about a quarter of a second. */
export async function createBatchProcessor(settings: WorkerSettings): Promise<BatchProcessor> {
  const log = createLogger({ role: 'edge worker', level: settings.logLevel })
  const { redisUrl, dataDir, geoipPath, botNetworksPath, referrerSpamPath } = settings
  const { bodyBytesMax, typedEvents } = settings
  const stateCalls: StateCall[] = []
  const opened = await openStateStore({ redisUrl, dataDir, clock: systemClock, log })
  const store = new MeasuredStateStore(opened, (call) => stateCalls.push(call))
  const identity = new CookielessIdentity({ store, clock: systemClock })
  const deviceSessions = new DeviceSessions({ store, clock: systemClock })
  const enricher = createEnricher({
    geoipPath,
    botNetworksPath,
    referrerSpamPath,
    onListError: (error) => log.error({ err: error }, 'a list of bots or spammers is unusable'),
    onGeoipError: (error) => log.error({ err: error }, 'the GeoIP database is unusable'),
  })
  return new BatchProcessor({ bodyBytesMax, typedEvents, enricher, identity, deviceSessions, stateCalls })
}

/** Settings of a worker thread; a plain object, because it is sent to another thread. */
export interface WorkerSettings {
  /** Bytes of a message after decompression. */
  readonly bodyBytesMax: number
  readonly dataDir: string
  readonly redisUrl: string | undefined
  readonly geoipPath: string | undefined
  readonly botNetworksPath?: string | undefined
  readonly referrerSpamPath?: string | undefined
  readonly typedEvents: TypedEventMode
  readonly logLevel: LogLevel
}

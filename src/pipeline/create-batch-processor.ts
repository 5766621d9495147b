import { systemClock } from '../kernel/clock.ts'
import { createLogger } from '../kernel/log.ts'
import { MeasuredStateStore, type StateCall } from '../store/state/measured-state-store.ts'
import { openStateStore } from '../store/state/open-state-store.ts'
import { BatchProcessor } from './batch-processor.ts'
import { createEnricher } from './enrich/enricher.ts'
import { CookielessIdentity } from './identity/cookieless-identity.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Creates the processor of one thread with everything that it needs. Takes about a quarter of a second. */
export async function createBatchProcessor(settings: WorkerSettings): Promise<BatchProcessor> {
  const log = createLogger({ role: 'edge worker', level: settings.logLevel })
  const { redisUrl, dataDir, geoipPath, bodyBytesMax, typedEvents } = settings
  const stateCalls: StateCall[] = []
  const opened = await openStateStore({ redisUrl, dataDir, clock: systemClock, log })
  const store = new MeasuredStateStore(opened, (call) => stateCalls.push(call))
  const identity = new CookielessIdentity({ store, clock: systemClock })
  const enricher = createEnricher({
    geoipPath,
    onGeoipError: (error) => log.error({ err: error }, 'the GeoIP database cannot be used as it is'),
  })
  return new BatchProcessor({ bodyBytesMax, typedEvents, enricher, identity, stateCalls })
}

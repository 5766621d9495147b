import type { WorkerSettings } from '../../pipeline/create-batch-processor.ts'
import type { Settings } from '../../settings/settings.ts'

/** The settings that a worker thread of a validation pool needs. */
export function workerSettings(settings: Settings): WorkerSettings {
  const { bodyBytesMax, dataDir, redisUrl, wellKnownEvents, logLevel } = settings
  const { geoipPath, botNetworksPath, referrerSpamPath } = settings
  const files = { geoipPath, botNetworksPath, referrerSpamPath }
  return { bodyBytesMax, dataDir, redisUrl, ...files, typedEvents: wellKnownEvents, logLevel }
}

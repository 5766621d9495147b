import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { systemClock } from '../kernel/clock.ts'
import { createLogger } from '../kernel/log.ts'
import { openStateStore } from '../store/state/open-state-store.ts'
import { BatchProcessor } from './batch-processor.ts'
import { createEnricher } from './enrich/enricher.ts'
import { CookielessIdentity } from './identity/cookieless-identity.ts'
import type { Task, TaskResult } from './task.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Lets Piscina move the block to the edge's thread instead of copying it. */
class MovableResult {
  readonly #result: TaskResult

  constructor(result: TaskResult) {
    this.#result = result
  }

  get [transferableSymbol](): object {
    return [this.#result.block.buffer]
  }

  get [valueSymbol](): TaskResult {
    return this.#result
  }
}

const processor = await createProcessor(workerData)

/** The pool's entry. */
export async function runTask(task: Task): Promise<unknown> {
  const result = await processor.process(task)
  return result.rowCount === 0 ? result : move(new MovableResult(result))
}

async function createProcessor(settings: WorkerSettings): Promise<BatchProcessor> {
  const log = createLogger({ role: 'edge worker', level: settings.logLevel })
  const { redisUrl, dataDir, geoipPath, bodyBytesMax, typedEvents } = settings
  const store = await openStateStore({ redisUrl, dataDir, clock: systemClock, log })
  const identity = new CookielessIdentity({ store, clock: systemClock })
  const enricher = createEnricher({
    geoipPath,
    onGeoipError: (error) => log.error({ err: error }, 'the GeoIP database cannot be used as it is'),
  })
  return new BatchProcessor({ bodyBytesMax, typedEvents, enricher, identity })
}

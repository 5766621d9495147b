import { randomUUID } from 'node:crypto'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { WarningCollector } from '../../pipeline/warnings/warning-collector.ts'
import { WarningFlusher } from '../../pipeline/warnings/warning-flusher.ts'
import type { Settings } from '../../settings/settings.ts'
import { insertJsonRows } from '../../store/clickhouse/client.ts'
import { StoreLink } from '../environment/store-link.ts'

/** Timeout of an INSERT of warnings. */
const INSERT_TIMEOUT_MS = 10_000

/** Timeout of the last INSERT at a stop; what it cannot store is lost. */
const STOP_TIMEOUT_MS = 2000

/** The ingestion warnings of an edge. */
export interface OpenWarnings {
  readonly collector: WarningCollector
  /** Stores what is left. */
  close(): Promise<void>
}

/** Opens the warnings. Their connection is not that of the events, which a slow INSERT would occupy. */
export function openWarnings(settings: Settings, log: Logger): OpenWarnings {
  const store = new StoreLink(settings, 'admin', {
    application: 'millrace-edge-warnings',
    connectionsMax: 1,
    requestTimeoutMs: INSERT_TIMEOUT_MS,
  })
  const collector = new WarningCollector({ clock: systemClock, writer: randomUUID() })
  const flusher = new WarningFlusher({
    collector,
    insert: async (rows, signal) => {
      const insert = { table: 'ingestion_warnings', blocks: [rows], id: 'ingestion warnings', signal }
      await insertJsonRows(store.clickhouse, insert)
    },
    log,
  })
  return {
    collector,
    close: async () => {
      await flusher.stop(STOP_TIMEOUT_MS)
      await store.close()
    },
  }
}

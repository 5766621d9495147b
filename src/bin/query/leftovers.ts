import type { EraseStep } from '../../control/projects/erase-project.ts'
import type { Logger } from '../../kernel/log.ts'
import { untilDelivered } from '../../pipeline/journal/delivery-wait.ts'
import { eraseQuarantines } from '../../pipeline/journal/erase-quarantine.ts'
import { diskFiles } from '../../pipeline/journal/files.ts'
import { JOURNAL_NAMES, journalFolders } from '../../pipeline/journal/journal-folders.ts'
import type { Leftovers } from '../../query/people/erasure/erasers.ts'

/** Time that an erasure waits for the journals of this machine; a later attempt erases later deliveries. */
const DELIVERY_WAIT_MS = 20_000

/** The journals and the quarantines of this machine, if an edge runs here: of events and of Identify calls. */
export function openLeftovers(dataDir: string, log: Logger, waitMs: number = DELIVERY_WAIT_MS): Leftovers {
  return {
    untilDelivered: async (signal) => {
      const deliveries = JOURNAL_NAMES.map(async (name) => {
        const { folder } = journalFolders(dataDir, name)
        return await untilDelivered(diskFiles, { folder, waitMs, signal })
      })
      return (await Promise.all(deliveries)).every((isDelivered) => isDelivered)
    },
    erase: async ({ projectId, externalId, findErased }) =>
      await eraseQuarantines({ dataDir, log }, { project: projectId, text: externalId, findErased }),
  }
}

/** Removes all rows of a project from the quarantines of this machine. */
export function createQuarantineStep(dataDir: string, log: Logger): EraseStep {
  return async ({ projectId }) => {
    await eraseQuarantines({ dataDir, log }, { project: projectId, findErased: async (ids) => new Set(ids) })
  }
}

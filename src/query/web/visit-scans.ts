import type { RangeMs } from '../../domain/insights/time-range.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import type { QueryRunner } from '../sql/select.ts'
import { isInTime } from '../visit-rows/find-rows.ts'
import type { VisitSearch } from './find-visits.ts'
import { compileScan, type ScanPart, type ScanRow, WHOLE } from './scan-sql.ts'
import { findEvents, findFoldedVisits } from './select-visits.ts'

/** A question about the visits of a range, for a grouping of them. */
export interface ScanQuestion {
  readonly search: VisitSearch
  readonly range: RangeMs
  readonly part: ScanPart
}

/** What answers questions about visits: a runner, and the scans that its questions may share with others. */
export interface VisitReading {
  readonly run: QueryRunner
  readonly scans: VisitScans
}

/** The rows of one question, and that of all visits; none without visits. */
export interface ScanAnswer {
  /** Pages are grouped only where the table has them: other rows are to be found without a scan. */
  readonly source: ScanSource
  readonly whole: ScanRow | undefined
  readonly rows: readonly ScanRow[]
}

type ScanSource = 'table' | 'events'

interface FoundRows {
  readonly source: ScanSource
  readonly rows: readonly ScanRow[]
}

interface Scan {
  readonly parts: ScanPart[]
  readonly found: Promise<FoundRows>
  questionCount: number
}

/** Groupings of one statement: each of them holds the users of all visits in memory. */
const PARTS_MAX = 10

/**
 * Answers questions about the same visits that arrive together, as those of a page do, with one statement: reading the visits and
 * mapping their ids to users costs more than a grouping. A question can join a scan until its search for the visits has ended.
 */
export class VisitScans {
  readonly #open = new Map<string, Scan>()

  /** Joins the scan of the visits that is about to read them, or starts one. */
  async ask(question: ScanQuestion, run: QueryRunner): Promise<ScanAnswer> {
    const { part } = question
    const key = keyOf(question)
    const open = key === undefined ? undefined : this.#open.get(key)
    const scan = open && canJoin(open, part) ? open : this.#start(key, question, run)
    scan.questionCount++
    const index = scan.parts.push(part) - 1
    try {
      const { source, rows } = await scan.found
      return {
        source,
        whole: rows.find((row) => row.part === WHOLE),
        rows: rows.filter((row) => row.part === index),
      }
    } catch (error) {
      // The caller who began the scan may have left, or the parts together may need too much memory.
      if (scan.questionCount === 1) throw error
      return await new VisitScans().ask(question, run)
    }
  }

  #start(key: string | undefined, question: ScanQuestion, run: QueryRunner): Scan {
    const parts: ScanPart[] = []
    const close = (): void => {
      if (key !== undefined && this.#open.get(key) === scan) this.#open.delete(key)
    }
    const scan: Scan = { parts, found: readParts(question, { parts, close }, run), questionCount: 0 }
    if (key !== undefined) this.#open.set(key, scan)
    return scan
  }
}

interface Filling {
  /** Grows until `close` is called. */
  readonly parts: readonly ScanPart[]
  readonly close: () => void
}

async function readParts(
  { search, range }: ScanQuestion,
  { parts, close }: Filling,
  run: QueryRunner,
): Promise<FoundRows> {
  const startMs = monotonicMs()
  try {
    const folded = await findFoldedVisits(search, range, run)
    if (folded) {
      close()
      const rows = await run(compileScan(folded, parts))
      if (isInTime(startMs)) return { source: 'table', rows }
    }
    if (parts.every(({ by }) => by === 'pages')) return { source: 'events', rows: [] }
    const events = await findEvents(search, range, run)
    close()
    return { source: 'events', rows: events ? await run(compileScan(events, parts)) : [] }
  } finally {
    close()
  }
}

/** The visits of a question as text; `undefined` for conditions that a text does not tell apart. */
function keyOf({ search, range }: ScanQuestion): string | undefined {
  const { properties, person, cohorts } = search.selection
  if (properties || person || cohorts) return undefined
  return JSON.stringify([search, range.fromMs, range.toMs])
}

/** Whether no other part has the same groups: the keys of one statement differ. */
function canJoin({ parts }: Scan, part: ScanPart): boolean {
  return parts.length < PARTS_MAX && parts.every((other) => groupsOf(other) !== groupsOf(part))
}

function groupsOf(part: ScanPart): string {
  return part.by === 'value' ? `${part.attribute.property} of ${part.attribute.of}` : part.by
}

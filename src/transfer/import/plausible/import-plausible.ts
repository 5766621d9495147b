import { dateOf, shiftDate } from '../../../domain/calendar.ts'
import { systemClock } from '../../../kernel/clock.ts'
import type { Progress } from '../../progress.ts'
import { SendError, type ServiceClient } from '../../send/service-client.ts'
import { UnreadableSource } from '../unreadable-source.ts'
import { digestOf, readArchive } from './archive.ts'
import { addNumbers, type DailyRow, toDailyRows } from './daily-rows.ts'

/** An archive to import. */
export interface PlausibleOptions {
  readonly path: string
  /** Name under which the import is listed. */
  readonly name: string
  /** Last day to show; the service chooses it when absent. */
  readonly until: string | undefined
  /** Nothing is sent when absent. */
  readonly client: ServiceClient | undefined
  readonly progress: Progress
  readonly onNotice: (text: string) => void
}

/** The content of an archive that is valid as a whole. */
interface ArchiveFacts {
  readonly firstDay: string
  readonly lastDay: string
  readonly dimensions: readonly number[]
  readonly rows: number
  readonly batches: number
}

/** The result of importing an archive. */
export interface PlausibleOutcome extends ArchiveFacts {
  /** Absent in a dry run. */
  readonly stored?: StoredOutcome
}

/** The import that the service has. */
export interface StoredOutcome {
  readonly id: string
  readonly shownUntil: string
  /** Day of the project's first page view; empty without one. */
  readonly ownFirstDay: string
  /** Whether the service had all of it before. */
  readonly wasFinished: boolean
}

/** Rows of one request. */
const BATCH_ROWS = 2000
/** Of values; far below the body limit of the service. */
const BATCH_CHARACTERS_MAX = 1024 * 1024
const DAYS_MAX = 10_000
const DAY_MS = 86_400_000

const SERVICE = 'millrace.web.v1.ImportsService'

/**
 * Imports an export of Plausible. The whole archive is checked before anything is sent. A second run continues where the first one
 * was interrupted, and adds nothing after a finished one. Throws {@link UnreadableSource} and {@link SendError}.
 */
export async function importPlausible(options: PlausibleOptions): Promise<PlausibleOutcome> {
  const { path, client, progress } = options
  const facts = await checkArchive(options)
  if (!client) return facts
  const start = await ask(client, 'Create', {
    name: options.name,
    digest: await digestOf(path),
    firstDay: facts.firstDay,
    lastDay: facts.lastDay,
    dimensions: facts.dimensions,
    ...(options.until === undefined ? {} : { until: options.until }),
  })
  const { id, shownUntil, batches: done = 0, finishTime } = start.import as SentImport
  const ownFirstDay = typeof start.ownFirstDay === 'string' ? start.ownFirstDay : ''
  const wasFinished = finishTime !== undefined
  if (!wasFinished) {
    let batch = 0
    for await (const rows of toBatches(options)) {
      if (batch >= done) await ask(client, 'AddRows', { id, batch, rows: rows.map(toWire) })
      batch++
      progress.add(rows.length)
    }
    await ask(client, 'Finish', { id, batches: batch })
  }
  progress.finish()
  return { ...facts, stored: { id, shownUntil, ownFirstDay, wasFinished } }
}

interface SentImport {
  readonly id: string
  readonly shownUntil: string
  readonly batches?: number
  readonly finishTime?: string
}

/** Reads the whole archive; nothing is sent of one with an invalid row. */
async function checkArchive({ path, onNotice }: PlausibleOptions): Promise<ArchiveFacts> {
  const check = new ArchiveCheck()
  const others: string[] = []
  const onRow = (row: DailyRow, place: string): void => check.add(row, place)
  let rows = 0
  let batches = 0
  for await (const batch of batchRows({ path, onRow, onOther: (name) => void others.push(name) })) {
    rows += batch.length
    batches++
  }
  if (others.length > 0) onNotice(`not imported: ${others.sort().join(', ')}`)
  return { ...check.finish(), rows, batches }
}

/** What must hold for all rows together. */
class ArchiveCheck {
  readonly #wholeDays = new Set<string>()
  readonly #dimensions = new Set<number>()
  #firstDay = '9999-12-31'
  #lastDay = ''

  add({ day, dimension }: DailyRow, place: string): void {
    if (day < this.#firstDay) this.#firstDay = day
    if (day > this.#lastDay) this.#lastDay = day
    if (dimension !== 0) return void this.#dimensions.add(dimension)
    if (this.#wholeDays.has(day))
      throw new UnreadableSource(`${place}: ${day} is in the file twice; nothing was imported`)
    this.#wholeDays.add(day)
  }

  finish(): Omit<ArchiveFacts, 'batches' | 'rows'> {
    const [firstDay, lastDay] = [this.#firstDay, this.#lastDay]
    if (this.#wholeDays.size === 0)
      throw new UnreadableSource('imported_visitors has no day; nothing was imported')
    if (Date.parse(lastDay) - Date.parse(firstDay) > DAYS_MAX * DAY_MS)
      throw new UnreadableSource(
        `the export has days from ${firstDay} to ${lastDay}, more than ${DAYS_MAX}; nothing was imported`,
      )
    return { firstDay, lastDay, dimensions: [...this.#dimensions].sort((a, b) => a - b) }
  }
}

function toBatches({ path }: PlausibleOptions): AsyncIterable<readonly DailyRow[]> {
  return batchRows({ path })
}

interface BatchReading {
  readonly path: string
  readonly onRow?: (row: DailyRow, place: string) => void
  readonly onOther?: (name: string) => void
}

/**
 * The rows of an archive in batches, those of one day, dimension and value in a batch added up. The same archive always makes the
 * same batches.
 */
async function* batchRows({ path, onRow, onOther }: BatchReading): AsyncIterable<readonly DailyRow[]> {
  // In some time zones it is tomorrow already.
  const lastDay = shiftDate(dateOf(systemClock.nowMs(), 'UTC'), 1)
  let batch = new Map<string, DailyRow>()
  let characters = 0
  for await (const row of readArchive(path, onOther)) {
    for (const daily of toDailyRows(row, lastDay)) {
      onRow?.(daily, row.place)
      const key = `${daily.day} ${daily.dimension} ${daily.value}`
      const before = batch.get(key)
      if (before) batch.set(key, { ...daily, numbers: addNumbers(before.numbers, daily.numbers) })
      else {
        batch.set(key, daily)
        characters += daily.value.length
      }
      if (batch.size < BATCH_ROWS && characters < BATCH_CHARACTERS_MAX) continue
      yield [...batch.values()]
      batch = new Map()
      characters = 0
    }
  }
  if (batch.size > 0) yield [...batch.values()]
}

/** Numbers of 64 bits are texts in JSON; an absent one is unknown. */
function toWire({ numbers, ...row }: DailyRow): object {
  const known = Object.entries(numbers).filter(([, number]) => number !== undefined)
  return { ...row, ...Object.fromEntries(known.map(([name, number]) => [name, String(number)])) }
}

async function ask(
  client: ServiceClient,
  method: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await client.ask(`${SERVICE}/${method}`, JSON.stringify(body))
  if ('body' in answer) return answer.body
  throw new SendError(`the service rejected the import: ${answer.rejection.message}`)
}

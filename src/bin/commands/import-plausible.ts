import { basename } from 'node:path'
import { isDate } from '../../domain/calendar.ts'
import type { Settings } from '../../settings/settings.ts'
import { STDIN } from '../../transfer/import/open-source.ts'
import {
  importPlausible,
  type PlausibleOutcome,
  type StoredOutcome,
} from '../../transfer/import/plausible/import-plausible.ts'
import { Progress } from '../../transfer/progress.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { describeError, interruption, readWords } from './command-words.ts'
import { checkReadable, connect } from './import.ts'

const OPTIONS = {
  project: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  until: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

const NAME_CHARACTERS_MAX = 255

/** `millrace import plausible`: imports what an export of Plausible counted per day. Throws {@link FatalError}. */
export async function runPlausibleImport(settings: Settings, words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words, OPTIONS)
  const [path, ...more] = positionals
  if (path === undefined || path === STDIN || more.length > 0)
    throw new FatalError('import plausible needs one file: the ZIP archive of the export')
  const { until } = values
  if (until !== undefined && !isDate(until)) throw new FatalError('--until must be a date such as 2026-01-31')
  checkReadable(path)
  const signal = interruption()
  const client = values['dry-run'] ? undefined : await connect(settings, values, signal)
  try {
    const outcome = await importPlausible({
      path,
      name: basename(path).slice(0, NAME_CHARACTERS_MAX),
      until,
      client,
      progress: new Progress({ output: process.stderr, unit: 'rows' }),
      onNotice: (text) => process.stderr.write(`${path}: ${text}\n`),
    })
    process.stdout.write(describe(path, outcome))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new FatalError(`the import of ${path} stopped: ${describeError(error)}`, { cause: error })
  } finally {
    client?.close()
  }
}

function describe(path: string, { firstDay, lastDay, rows, stored }: PlausibleOutcome): string {
  const read = `${path}: ${firstDay} to ${lastDay}, ${rows} rows`
  if (!stored) return `${read}, all valid; nothing was sent\n`
  const { id, wasFinished } = stored
  return [
    `${read}${wasFinished ? ', imported before: nothing was added' : ''}`,
    `  ${describeShown(stored, { firstDay, lastDay })}`,
    `  import ${id}; delete it with: millrace imports delete ${id}`,
    '',
  ].join('\n')
}

/** The days that the overview shows, and why they end earlier than those of the export. */
function describeShown(
  { shownUntil, ownFirstDay }: StoredOutcome,
  { firstDay, lastDay }: Pick<PlausibleOutcome, 'firstDay' | 'lastDay'>,
): string {
  const own = ownFirstDay === '' ? '' : `; the project has page views of its own since ${ownFirstDay}`
  if (shownUntil < firstDay) return `no day is shown${own}`
  if (shownUntil >= lastDay) return `all days are shown${own}`
  return `days up to ${shownUntil} are shown${own}; choose another last day with --until`
}

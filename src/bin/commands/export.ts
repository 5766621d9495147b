import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { findProject } from '../../control/projects/operator-projects.ts'
import type { Settings } from '../../settings/settings.ts'
import { type ClickHouse, openClickHouse } from '../../store/clickhouse/client.ts'
import { countRows, exportToFile, exportToStream, planExport } from '../../transfer/export/export-events.ts'
import { ALL_TIME, type ExportFormat, type ExportScope } from '../../transfer/export/export-scope.ts'
import { type ExportPlan, type ExportState, exportState } from '../../transfer/export/export-state.ts'
import { STALL_SECONDS_MAX } from '../../transfer/export/read-slice.ts'
import { Progress } from '../../transfer/progress.ts'
import { findClickHouse } from '../environment/clickhouse-endpoint.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { describeError, interruption, readCount, readInstant, readWords } from './command-words.ts'

const OPTIONS = {
  project: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  kinds: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  gzip: { type: 'boolean' },
  resume: { type: 'boolean' },
  'slice-rows': { type: 'string' },
} as const

const STDOUT = '-'

/** Events per slice: few enough to repeat one after an interruption, enough to keep the number of queries low. */
const SLICE_ROWS = '250000'

interface ExportCommand extends Omit<ExportPlan, 'slices'> {
  readonly out: string
  readonly sliceRows: number
  readonly start: 'afresh' | 'resume'
}

/**
 * `millrace export`: writes the events of a project in the form that `BatchCreate` accepts, to a file with the permissions of `umask`.
 * Throws {@link FatalError}.
 */
export async function runExport(settings: Settings, words: readonly string[], umask: number): Promise<void> {
  const command = await readCommand(settings, words)
  process.umask(umask)
  const earlier = findEarlier(command)
  const clickhouse = openClickHouse(findClickHouse(settings, 'reader'), {
    application: 'millrace-export',
    connectionsMax: 1,
    requestTimeoutMs: STALL_SECONDS_MAX * 1000,
  })
  const signal = interruption()
  try {
    await write(command, earlier, { clickhouse, signal })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (hasCode(error, 'EPIPE')) return
    throw new FatalError(`the export stopped: ${describeError(error)}`, {
      cause: error,
    })
  } finally {
    await clickhouse.close()
  }
}

async function readCommand(settings: Settings, words: readonly string[]): Promise<ExportCommand> {
  const { values, positionals } = readWords(words, OPTIONS)
  if (positionals.length > 0)
    throw new FatalError(`unexpected argument ${positionals[0]}; export takes options only`)
  const { out = STDOUT } = values
  const format = readFormat(values.format ?? 'jsonl')
  const compression = values.gzip || out.endsWith('.gz') ? 'gzip' : 'none'
  if (format === 'parquet' && (values.resume || compression === 'gzip')) {
    throw new FatalError(
      'a Parquet file is compressed and written as a whole: --resume and --gzip do not apply',
    )
  }
  if (values.resume && out === STDOUT) throw new FatalError('--resume needs a file: --out <file>')
  const project = await withCatalog(settings, async (catalog) => await findProject(catalog, values.project))
  const scope: ExportScope = {
    projectId: project.id,
    fromMs: values.from === undefined ? ALL_TIME.fromMs : readInstant(values.from, 'from'),
    toMs: values.to === undefined ? ALL_TIME.toMs : readInstant(values.to, 'to'),
    kinds: values.kinds?.split(','),
  }
  const start = values.resume ? 'resume' : 'afresh'
  const sliceRows = readCount(values['slice-rows'] ?? SLICE_ROWS, { option: 'slice-rows', min: 1, max: 1e9 })
  return { scope, format, compression, out, start, sliceRows }
}

function readFormat(text: string): ExportFormat {
  if (text === 'jsonl' || text === 'csv' || text === 'parquet') return text
  throw new FatalError('--format must be jsonl, csv or parquet')
}

/** The state of the export to resume. Without `--resume`, an existing file must not be overwritten. */
function findEarlier({ out, start, scope, format, compression }: ExportCommand): ExportState | undefined {
  if (out === STDOUT) return undefined
  if (start === 'afresh') {
    if (existsSync(out)) throw new FatalError(`${out} already exists; remove it, or continue with --resume`)
    return undefined
  }
  const state = exportState.read(out)
  if (!state) {
    if (existsSync(out)) throw new FatalError(`${out} is complete: ${exportState.path(out)} does not exist`)
    return undefined
  }
  const { projectId, fromMs, toMs, kinds } = state.scope
  const isSame = isDeepStrictEqual(
    { scope: { projectId, fromMs, toMs, kinds }, format: state.format, compression: state.compression },
    { scope, format, compression },
  )
  if (isSame) return state
  throw new FatalError(`${exportState.path(out)} belongs to an export with other options`)
}

async function write(
  command: ExportCommand,
  earlier: ExportState | undefined,
  { clickhouse, signal }: { readonly clickhouse: ClickHouse; readonly signal: AbortSignal },
): Promise<void> {
  const { out, scope, format, compression, sliceRows } = command
  const plan = earlier ?? (await planExport(clickhouse, { scope, format, compression, sliceRows }, signal))
  const rows = countRows(plan, earlier?.slicesDone)
  const progress = new Progress({ output: process.stderr, unit: 'events', ...rows })
  const ports = { clickhouse, signal, progress }
  if (out === STDOUT) await exportToStream(plan, process.stdout, ports)
  else await exportToFile(out, { slicesDone: 0, bytes: 0, ...plan }, ports)
  progress.finish()
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

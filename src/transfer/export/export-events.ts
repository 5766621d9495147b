import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createRunQuery } from '../../query/sql/run.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import type { Progress } from '../progress.ts'
import { compileSlice, type ExportScope, planSlices, type Slice } from './export-scope.ts'
import { type ExportPlan, type ExportState, exportState } from './export-state.ts'
import { readSlice } from './read-slice.ts'

/** Dependencies of an export. */
export interface ExportPorts {
  readonly clickhouse: ClickHouse
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Writes bytes; resolves when it accepts more. */
type Sink = (bytes: Uint8Array) => Promise<void>

const NEWLINE = 0x0a
const PLAN_SECONDS_MAX = 3600
const PLAN_MEMORY_BYTES_MAX = 2 * 1024 ** 3
const UNBOUNDED = 0

/** Plans the slices of an export. Parquet has one slice, because a Parquet file has one footer. */
export async function planExport(
  clickhouse: ClickHouse,
  { sliceRows, ...plan }: Omit<ExportPlan, 'slices'> & { readonly sliceRows: number },
  signal: AbortSignal,
): Promise<ExportPlan> {
  const run = createRunQuery(clickhouse, {
    timeoutSeconds: PLAN_SECONDS_MAX,
    memoryBytesMax: PLAN_MEMORY_BYTES_MAX,
    readRowsMax: UNBOUNDED,
    resultRowsMax: UNBOUNDED,
    resultBytesMax: UNBOUNDED,
  })
  const slices = await planSlices(plan.scope, { run, signal, sliceRows })
  return { ...plan, slices: plan.format === 'parquet' ? [joinSlices(plan.scope, slices)] : slices }
}

/** Number of events in the plan, and in its completed slices. */
export function countRows(
  { slices }: ExportPlan,
  slicesDone = 0,
): { readonly total: number; readonly done: number } {
  const rows = (some: readonly Slice[]): number => some.reduce((sum, slice) => sum + slice.rows, 0)
  return { total: rows(slices), done: rows(slices.slice(0, slicesDone)) }
}

/**
 * Writes an export to a file, resuming from `state`. After each slice, the state is stored durably beside the file; after the
 * last one, it is removed.
 */
export async function exportToFile(out: string, state: ExportState, ports: ExportPorts): Promise<void> {
  const file = await open(out, state.slicesDone === 0 ? 'w' : 'r+')
  try {
    await file.truncate(state.bytes)
    let { bytes } = state
    for (let index = state.slicesDone; index < state.slices.length; index++) {
      exportState.write(out, { ...state, slicesDone: index, bytes })
      bytes = await writeSlice(state, index, { ports, sink: appendTo(file, bytes) }).then(
        (more) => bytes + more,
      )
      await file.datasync()
    }
    await file.sync()
  } finally {
    await file.close()
  }
  exportState.remove(out)
}

/** Writes an export to a stream such as standard output. */
export async function exportToStream(plan: ExportPlan, output: Writable, ports: ExportPorts): Promise<void> {
  const sink: Sink = async (bytes) => {
    if (!output.write(bytes)) await once(output, 'drain', { signal: ports.signal })
  }
  for (const index of plan.slices.keys()) await writeSlice(plan, index, { ports, sink })
  await new Promise<void>((resolve, reject) => {
    output.write('', (error) => (error ? reject(error) : resolve()))
  })
}

function appendTo(file: FileHandle, start: number): Sink {
  let position = start
  return async (bytes) => {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, from, bytes.length - from, position)
      from += bytesWritten
      position += bytesWritten
    }
  }
}

/** Each slice is a separate gzip member: concatenated members are one valid gzip file. */
async function writeSlice(
  plan: ExportPlan,
  index: number,
  { ports, sink }: { readonly ports: ExportPorts; readonly sink: Sink },
): Promise<number> {
  const slice = plan.slices[index]
  if (slice === undefined) return 0
  const statement = compileSlice(plan.scope, { format: plan.format, slice, isFirst: index === 0 })
  const source = await readSlice(ports.clickhouse, statement, ports.signal)
  const counted = plan.format === 'parquet' ? source : countLines(source, ports.progress)
  let bytes = 0
  const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) {
      bytes += chunk.length
      await sink(chunk)
    }
  }
  if (plan.compression === 'gzip') await pipeline(counted, createGzip(), write, { signal: ports.signal })
  else await write(counted)
  if (plan.format === 'parquet') ports.progress.add(slice.rows)
  return bytes
}

async function* countLines(source: Readable, progress: Progress): AsyncIterable<Uint8Array> {
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    let lines = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    progress.add(lines)
    yield chunk
  }
}

function joinSlices({ fromMs, toMs }: ExportScope, slices: readonly Slice[]): Slice {
  return { fromMs, toMs, rows: slices.reduce((sum, { rows }) => sum + rows, 0) }
}

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { Progress } from '../progress.ts'
import { countRows, type ExportPorts, exportToFile } from './export-events.ts'
import { type ExportPlan, type ExportState, exportState } from './export-state.ts'

const PLAN: ExportPlan = {
  scope: { projectId: asProjectId(1), fromMs: 0, toMs: 100, kinds: undefined },
  format: 'jsonl',
  compression: 'none',
  slices: [
    { fromMs: 0, toMs: 10, rows: 1 },
    { fromMs: 10, toMs: 20, rows: 2 },
    { fromMs: 20, toMs: 30, rows: 4 },
  ],
}

let folder: string
let out: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-export-'))
  out = join(folder, 'events.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Ports of an engine that returns `slice-<start>` for each slice, and fails at `failAtMs`. */
function createPorts(failAtMs?: number): ExportPorts {
  const exec = async ({ query_params = {} }: { readonly query_params?: Record<string, unknown> }) => {
    const start = PLAN.slices.find(({ fromMs, toMs }) => {
      const values = Object.values(query_params)
      return values.includes(fromMs) && values.includes(toMs)
    })?.fromMs
    if (start === failAtMs) throw new Error('no engine')
    return await Promise.resolve({ stream: Readable.from([Buffer.from(`slice-${start}\n`)]) })
  }
  const clickhouse = { exec } as unknown as ClickHouse
  const progress = new Progress({ output: { write: () => true }, unit: 'events' })
  return { clickhouse, progress, signal: new AbortController().signal }
}

const WHOLE = 'slice-0\nslice-10\nslice-20\n'
const START: ExportState = { ...PLAN, slicesDone: 0, bytes: 0 }

describe('an export to a file', () => {
  test('has the slices in order, and leaves no state', async () => {
    await exportToFile(out, START, createPorts())
    expect(readFileSync(out, 'utf8')).toBe(WHOLE)
    expect(existsSync(exportState.path(out))).toBe(false)
  })

  test('resumes after the last complete slice of an interrupted one', async () => {
    await expect(exportToFile(out, START, createPorts(10))).rejects.toThrow('no engine')
    const state = exportState.read(out)
    expect(state).toMatchObject({ slicesDone: 1, bytes: 'slice-0\n'.length })
    writeFileSync(out, `slice-0\npart of the next slice${'.'.repeat(100)}`)
    await exportToFile(out, state ?? START, createPorts())
    expect(readFileSync(out, 'utf8')).toBe(WHOLE)
  })

  test('is one gzip file, whose members are the slices', async () => {
    await exportToFile(out, { ...START, compression: 'gzip' }, createPorts())
    expect(gunzipSync(readFileSync(out)).toString()).toBe(WHOLE)
  })
})

test('events are counted in all slices, and in the completed ones', () => {
  expect(countRows(PLAN)).toEqual({ total: 7, done: 0 })
  expect(countRows(PLAN, 2)).toEqual({ total: 7, done: 3 })
})

test('the state of another release is an error', () => {
  exportState.write(out, START)
  writeFileSync(
    exportState.path(out),
    readFileSync(exportState.path(out), 'utf8').replace('"version":1', '"version":2'),
  )
  expect(() => exportState.read(out)).toThrow('was written by another release')
})

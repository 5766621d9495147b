import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import type { RunQuery } from '../../query/sql/run.ts'
import { render } from '../../query/sql/sql.ts'
import { compileSlice, type ExportFormat, type ExportScope, planSlices, type Slice } from './export-scope.ts'

const DAY_MS = 86_400_000
const SCOPE: ExportScope = { projectId: asProjectId(1), fromMs: 0, toMs: 100 * DAY_MS, kinds: undefined }

/** Plans slices of at most `sliceRows` events from days with these numbers of events. */
async function plan(
  rows: readonly (readonly [day: number, rows: number])[],
  sliceRows: number,
  scope = SCOPE,
): Promise<readonly Slice[]> {
  const days = rows.map(([day, count]) => ({ startMs: day * DAY_MS, rows: count }))
  const run: RunQuery = async () => await Promise.resolve(days as never[])
  return await planSlices(scope, { run, signal: new AbortController().signal, sliceRows })
}

describe('slices', () => {
  test('join days while they have at most the requested events together', async () => {
    const slices = await plan(
      [
        [0, 3],
        [1, 2],
        [2, 1],
        [3, 5],
      ],
      5,
    )
    expect(slices).toEqual([
      { fromMs: 0, toMs: 2 * DAY_MS, rows: 5 },
      { fromMs: 2 * DAY_MS, toMs: 3 * DAY_MS, rows: 1 },
      { fromMs: 3 * DAY_MS, toMs: 4 * DAY_MS, rows: 5 },
    ])
  })

  test('do not divide a day', async () => {
    expect(await plan([[4, 9]], 5)).toEqual([{ fromMs: 4 * DAY_MS, toMs: 5 * DAY_MS, rows: 9 }])
  })

  test('reach across days without events, and not beyond the scope', async () => {
    const scope = { ...SCOPE, fromMs: 7, toMs: 5 * DAY_MS + 9 }
    expect(
      await plan(
        [
          [0, 1],
          [5, 1],
        ],
        5,
        scope,
      ),
    ).toEqual([{ fromMs: 7, toMs: 5 * DAY_MS + 9, rows: 2 }])
  })

  test('are none without events', async () => {
    expect(await plan([], 5)).toEqual([])
  })
})

describe('the statement of a slice', () => {
  const slice: Slice = { fromMs: 5 * DAY_MS, toMs: 6 * DAY_MS, rows: 1 }
  const compile = (format: ExportFormat, isFirst = true) =>
    render(compileSlice({ ...SCOPE, kinds: ['a'] }, { format, slice, isFirst }))

  test.each<[ExportFormat, boolean, string]>([
    ['jsonl', true, 'TSVRaw'],
    ['csv', true, 'CSVWithNames'],
    ['csv', false, 'CSV'],
    ['parquet', true, 'Parquet'],
  ])('%s, first: %s, has the format %s', (format, isFirst, name) => {
    expect(compile(format, isFirst).text).toMatch(new RegExp(` FORMAT ${name}$`))
  })

  test('reads the kinds of the scope in the time of the slice, in an order without hashes', () => {
    const { text, params } = compile('jsonl')
    expect(text).toContain(' ORDER BY project, toDate(time), kind, distinct_id, time, event_id FORMAT')
    expect(Object.values(params)).toEqual(expect.arrayContaining([slice.fromMs, slice.toMs, ['a']]))
    expect(Object.values(params)).not.toContain(SCOPE.toMs)
  })

  test('leaves out the derived ids of cookieless events', () => {
    expect(compile('jsonl').text).toContain(`if(cookieless, '"cookieless":true', concat('"distinctId":'`)
    expect(compile('csv').text).toContain("if(cookieless, '', distinct_id) AS distinctId")
  })
})

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouse, openClickHouse } from '../../store/clickhouse/client.ts'
import { type Engine, startEngine } from '../../store/embedded/engine.ts'
import { int64Codec, stringArrayCodec, stringCodec } from './codec.ts'
import { createRunQuery } from './run.ts'
import { column, select } from './select.ts'
import { join, param, type Sql, sql } from './sql.ts'
import { PARAM_BYTES_MAX, PARAMS_MAX } from './statement-size.ts'

const LIMITS = {
  timeoutSeconds: 30,
  memoryBytesMax: 1024 ** 3,
  readRowsMax: 1e6,
  resultRowsMax: 100,
  resultBytesMax: 1e7,
}

const dataFolder = mkdtempSync(joinPath(tmpdir(), 'millrace-run-'))
let engine: Engine
let clickhouse: ClickHouse

beforeAll(async () => {
  engine = await startEngine({ dataFolder })
  const { user, password } = engine.reader
  clickhouse = openClickHouse(
    { url: engine.url, database: 'default', username: user, password },
    { application: 'millrace-test', connectionsMax: 2, requestTimeoutMs: 60_000 },
  )
}, 60_000)

afterAll(async () => {
  await clickhouse.close()
  await engine.stop()
  rmSync(dataFolder, { recursive: true })
})

async function ask(number: Sql): Promise<number | undefined> {
  const query = select({ number: column(int64Codec, number) }, sql`FROM system.one`)
  const [row] = await createRunQuery(clickhouse, LIMITS)(query, AbortSignal.timeout(30_000))
  return row?.number
}

const lengthOf = (text: string): Sql => sql`toInt64(lengthUTF8(${param(stringCodec, text)}))`

test.each(['x', 'é', "'", '"', '\\', '\n', '%'])(
  'a value of %j of the maximum length is accepted',
  async (letter) => {
    // Escapes take a byte more.
    const length = Math.floor(PARAM_BYTES_MAX / (/[\\\n']/.test(letter) ? 2 : Buffer.byteLength(letter)))
    expect(await ask(lengthOf(letter.repeat(length)))).toBe(length)
  },
)

test('a long list is accepted', async () => {
  const texts = Array.from({ length: 1000 }, (_, index) => `${index}'`.padEnd(100, 'x'))
  expect(await ask(sql`toInt64(length(${param(stringArrayCodec, texts)}))`)).toBe(1000)
})

const sumOf = (lengths: readonly Sql[]): Sql => sql`toInt64(arraySum([${join(lengths, sql`, `)}]))`

test('the maximum number of values is accepted', async () => {
  const lengths = Array.from({ length: PARAMS_MAX }, () => lengthOf('a value'))
  expect(await ask(sumOf(lengths))).toBe(PARAMS_MAX * 'a value'.length)
})

test('a long statement is accepted', async () => {
  const length = lengthOf('a value'.repeat(1000))
  expect(await ask(sumOf(Array.from({ length: 3000 }, () => length)))).toBe(3000 * 7000)
})

test('a statement that would be planned for long is refused before it is sent', async () => {
  const length = lengthOf('a value')
  await expect(ask(sumOf(Array.from({ length: 10_000 }, () => length)))).rejects.toMatchObject({
    code: 'invalid_argument',
    message: 'the query has too many conditions; use fewer filters',
  })
})

test.each([
  ['a value', param(stringCodec, 'x'.repeat(PARAM_BYTES_MAX + 1))],
  ['a list', param(stringArrayCodec, ['x'.repeat(PARAM_BYTES_MAX)])],
  [
    'a set of values',
    join(
      Array.from({ length: PARAMS_MAX + 1 }, () => sql`${param(stringCodec, 'x')}`),
      sql`, `,
    ),
  ],
])('%s beyond its limit is an invalid argument', async (_, long) => {
  await expect(ask(sql`toInt64(length([${long}]))`)).rejects.toMatchObject({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
  })
})

test.each([32, 60, 209, 236, 279, 369])(
  'the store is unavailable when ClickHouse fails with code %i',
  async (code) => {
    const away = sql`toInt64(throwIf(1, 'away', toInt16(${param(int64Codec, code)})))`
    const query = select(
      { number: column(int64Codec, away) },
      sql`FROM system.one SETTINGS allow_custom_error_code_in_throwif = 1`,
    )
    const run = createRunQuery(clickhouse, LIMITS)
    await expect(run(query, AbortSignal.timeout(30_000))).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'STORE_UNAVAILABLE',
    })
  },
)

test.each([0, 50])(
  'a statement is interrupted when its time is over, after %i ms',
  { timeout: 10_000 },
  async (ms) => {
    const forever = select({ number: column(int64Codec, sql`toInt64(count())`) }, sql`FROM system.numbers`)
    const signal = AbortSignal.timeout(ms)
    if (ms === 0) await once(signal, 'abort')
    await expect(
      createRunQuery(clickhouse, { ...LIMITS, readRowsMax: 0 })(forever, signal),
    ).rejects.toMatchObject({
      code: 'deadline_exceeded',
      reason: 'QUERY_TIMEOUT',
    })
  },
)

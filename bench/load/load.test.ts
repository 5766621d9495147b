import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BatchCreateRequestSchema } from '../../src/contract/gen/sdk/events/v1/events_service_pb.js'
import { decodeBatchJsonSlow } from '../../src/pipeline/decode/json-slow.ts'
import { type HttpDouble, startHttpDouble } from '../../test/harness/http-double.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { createLoadBodies } from './load-bodies.ts'
import { LoadUsageError, parseLoadCommand } from './load-command.ts'
import { renderSweep } from './load-report.ts'
import { runLoad } from './run-load.ts'
import { sendTimedLoad } from './send-load.ts'

const URL_AND_KEY = ['--url', 'http://localhost:3000/x', '--key', 'pub_1']

describe('the command line', () => {
  test('has fallbacks', () => {
    expect(parseLoadCommand(URL_AND_KEY)).toEqual({
      kind: 'load',
      url: 'http://localhost:3000',
      key: 'pub_1',
      dataDir: undefined,
      outDir: 'bench/results',
      shape: { batch: 100, connections: 64, seconds: 20, protocol: 'json', rate: 0 },
    })
  })

  test('a sweep has the values of its setting, or those that are named', () => {
    expect(parseLoadCommand(['--sweep', 'journal-sync'])).toMatchObject({
      kind: 'sweep',
      values: ['always', '10', '100', '1000'],
      rounds: 1,
    })
    expect(parseLoadCommand(['--sweep', 'workers', '--values', '1,8'])).toMatchObject({ values: ['1', '8'] })
  })

  test.each([
    ['no address', ['--key', 'k'], '--url and --key are needed'],
    ['an address of another kind', ['--url', 'ftp://a', '--key', 'k'], '--url takes'],
    [
      'a batch that is too large',
      [...URL_AND_KEY, '--batch', '1001'],
      '--batch takes a number from 1 to 1000',
    ],
    ['a number that is none', [...URL_AND_KEY, '--seconds', '1e3'], '--seconds takes'],
    ['another protocol', [...URL_AND_KEY, '--protocol', 'xml'], '--protocol takes'],
    ['another sweep', ['--sweep', 'colour'], '--sweep takes workers'],
    ['a sweep of a running service', ['--sweep', 'workers', '--url', 'http://a'], 'leave out --url'],
    ['an unknown option', [...URL_AND_KEY, '--other'], 'Unknown option'],
  ])('%s is refused', (_, words, message) => {
    expect(() => parseLoadCommand(words)).toThrow(LoadUsageError)
    expect(() => parseLoadCommand(words)).toThrow(message)
  })
})

describe('bodies', () => {
  const idsOf = {
    json: (body: Buffer) => decodeBatchJsonSlow(body).map(({ eventId }) => eventId),
    binary: (body: Buffer) => fromBinary(BatchCreateRequestSchema, body).events.map(({ eventId }) => eventId),
  }

  test.each(['json', 'binary'] as const)('never repeat an event id, in %s', (protocol) => {
    const nextBody = createLoadBodies({ batch: 300, protocol })
    const ids = Array.from({ length: 20 }, () => idsOf[protocol](nextBody())).flat()
    expect(new Set(ids).size).toBe(6000)
  })

  test('of another run have other ids', () => {
    const [first, second] = [1, 2].map(() => idsOf.json(createLoadBodies({ batch: 1, protocol: 'json' })()))
    expect(first).not.toEqual(second)
  })
})

test('a percentile is exact to one percent', () => {
  const histogram = new LatencyHistogram()
  expect(histogram.percentile(0.5)).toBe(0)
  for (let ms = 1; ms <= 1000; ms++) histogram.record(ms)
  const found = [0.5, 0.99, 1].map((share) => histogram.percentile(share) / (share * 1000))
  expect(found.filter((ratio) => ratio < 0.99 || ratio > 1.01)).toEqual([])
  expect([histogram.total, histogram.max]).toEqual([1000, 1000])
})

describe('a load', () => {
  let double: HttpDouble
  let folder: string
  let count = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-load-'))
    double = await startHttpDouble(() =>
      count++ % 2 === 0 ? { status: 200 } : { status: 429, body: { code: 'resource_exhausted' } },
    )
  })

  afterAll(async () => {
    await double?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true })
  })

  test('counts acknowledged events, and answers by their code', async () => {
    const shape = { batch: 10, connections: 2, seconds: 1, protocol: 'json', rate: 0 } as const
    const result = await sendTimedLoad({ url: double.url, key: 'pub_1' }, shape)
    expect(Object.keys(result.answers).sort()).toEqual(['200 ok', '429 resource_exhausted'])
    expect(result.events).toBe((result.answers['200 ok'] ?? 0) * 10)
    expect(result.events).toBeGreaterThan(0)
    expect(result.latency.max).toBeGreaterThan(0)
    expect(double.requests[0]?.headers['x-api-key']).toBe('pub_1')
  })

  test('leaves a report and its plots', async () => {
    const words = ['--url', double.url, '--key', 'k', '--batch', '1', '--seconds', '1', '--out', folder]
    expect(await runLoad(words)).toBe(0)
    const report = JSON.parse(readFileSync(join(folder, 'load.json'), 'utf8'))
    expect(report).toMatchObject({ machine: { node: process.version }, shape: { batch: 1, seconds: 1 } })
    expect(report.result.events).toBeGreaterThan(0)
    expect(readFileSync(join(folder, 'load-throughput.svg'), 'utf8')).toContain('</svg>')
    expect(readFileSync(join(folder, 'load-latency.svg'), 'utf8')).toContain('p99.9')
  })
})

test('a sweep compares with its first value', () => {
  const pointOf = (value: string, eventsPerSecond: number) => ({
    value,
    freshMs: 1,
    measured: {
      cpuMicros: { edge: 2 },
      settleSeconds: 3,
      result: {
        seconds: 1,
        events: 1,
        eventsPerSecond,
        eachSecond: [],
        latency: { p50: 1, p90: 1, p99: 1, 'p99.9': 1, max: 1 },
        answers: {},
        errors: 0,
        timeouts: 0,
      },
    },
  })
  const lines = renderSweep('workers', [pointOf('1', 1000), pointOf('2', 1500)]).split('\n')
  expect(lines[1]?.trim().split(/ +/)).toEqual([
    '1',
    '1,000',
    '1.00',
    '1.0',
    '1.0',
    '2.00',
    '0.00',
    '3.0',
    '1',
  ])
  expect(lines[2]?.trim().split(/ +/).slice(0, 3)).toEqual(['2', '1,500', '1.50'])
})

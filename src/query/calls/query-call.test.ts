import { once } from 'node:events'
import { create, type DescMessage } from '@bufbuild/protobuf'
import { EmptySchema, StringValueSchema, UInt64ValueSchema } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { NO_NAME_FACTS } from '../../store/catalog/name-facts.ts'
import { toSet } from '../cohorts/cohort-reader.ts'
import { stringCodec } from '../sql/codec.ts'
import { toInterruption } from '../sql/interruption.ts'
import { QueryGate } from '../sql/query-gate.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { AnswerCache } from './answer-cache.ts'
import { findAnswer, type QueryPorts } from './query-call.ts'

const TIMEOUT_MS = 50
const PROJECT = asProjectId(1)
const NEVER = new AbortController().signal
const QUERY = select({ one: column(stringCodec, sql`'1'`) }, sql``)

/** Everything as in the query process but the store, which answers when its statement is interrupted, or as `run` does. */
function openPorts(run: QueryPorts['run'] = untilInterrupted): QueryPorts {
  return {
    run,
    gate: new QueryGate({ runningMax: 1, waitingPerProjectMax: 100, waitMsMax: 60_000 }),
    projects: {
      read: async () => ({ reportingTimezone: 'UTC', names: NO_NAME_FACTS }),
    } as unknown as QueryPorts['projects'],
    readCohorts: async () => toSet([]),
    answers: new AnswerCache({ bytesMax: 1000 }),
    clock: { nowMs: () => 0 },
    answerTtlMs: 0,
    timeoutMs: TIMEOUT_MS,
  }
}

const untilInterrupted: QueryPorts['run'] = async (_, signal) => {
  if (!signal.aborted) await once(signal, 'abort')
  throw toInterruption(signal.reason, undefined)
}

async function answer(ports: QueryPorts, work: (run: QueryRunner) => Promise<unknown>): Promise<void> {
  await findAnswer(ports, {
    input: EmptySchema,
    output: EmptySchema,
    request: { $typeName: 'google.protobuf.Empty' },
    projectId: PROJECT,
    isFresh: true,
    signal: NEVER,
    answer: async (run) => {
      await work(run)
      return {}
    },
  })
}

const TIMED_OUT = { code: 'deadline_exceeded', reason: 'QUERY_TIMEOUT' }

test('a query whose statement takes too long ends', async () => {
  await expect(answer(openPorts(), async (run) => await run(QUERY))).rejects.toMatchObject(TIMED_OUT)
})

test.each([
  { how: 'one after the other', together: runInTurn },
  { how: 'at once', together: runAtOnce },
])('all statements of a query share one deadline, run $how', async ({ together }) => {
  let inTimeCount = 0
  const ports = openPorts(async (query, signal) => {
    if (signal.aborted) return await untilInterrupted(query, signal)
    inTimeCount++
    await once(signal, 'abort')
    return []
  })
  await expect(answer(ports, together)).rejects.toMatchObject(TIMED_OUT)
  expect(inTimeCount).toBe(1)
})

async function runInTurn(run: QueryRunner): Promise<void> {
  await run(QUERY)
  await run(QUERY)
}

async function runAtOnce(run: QueryRunner): Promise<void> {
  await Promise.all([run(QUERY), run(QUERY)])
}

test('the deadline starts when the first statement leaves the queue', async () => {
  const ports = openPorts(async (_, signal) => {
    expect(signal.aborted).toBe(false)
    return []
  })
  const held = ports.gate.pass(PROJECT, NEVER, async () => {
    await once(AbortSignal.timeout(2 * TIMEOUT_MS), 'abort')
  })
  await answer(ports, async (run) => await run(QUERY))
  await held
})

describe('a cached answer', () => {
  interface CachedCall {
    readonly project?: number
    readonly zone?: string
    readonly text?: string
    readonly basis?: string
    /** The version of the dictionary. */
    readonly version?: string
  }

  /** The number of these calls that compute an answer, one after the other through one cache. */
  async function countComputed(
    calls: readonly CachedCall[],
    inputs: readonly DescMessage[] = [StringValueSchema],
  ): Promise<number> {
    let computedCount = 0
    const zones = new Map(calls.map(({ project = 1, zone = 'UTC' }) => [project, zone]))
    const ports: QueryPorts = { ...openPorts(), answerTtlMs: 60_000 }
    for (const input of inputs) {
      for (const { project = 1, zone = zones.get(project), text = '', basis = '', version = '' } of calls) {
        const names = { ...NO_NAME_FACTS, version }
        const projects = { read: async () => ({ reportingTimezone: zone, names }) }
        await findAnswer(
          { ...ports, projects: projects as unknown as QueryPorts['projects'] },
          {
            input,
            output: EmptySchema,
            request: create(input, text === '' ? {} : { value: text }),
            basis,
            projectId: asProjectId(project),
            isFresh: false,
            signal: NEVER,
            answer: async () => {
              computedCount++
              return {}
            },
          },
        )
      }
    }
    return computedCount
  }

  test('serves the same query of the same project', async () => {
    expect(await countComputed([{}, {}])).toBe(1)
  })

  test.each([
    ['another project', [{ project: 1 }, { project: 2 }]],
    ['a project whose time zone has changed', [{ zone: 'UTC' }, { zone: 'Asia/Tokyo' }]],
    ['another request', [{ text: 'a' }, { text: 'b' }]],
    ['another basis', [{ basis: 'a' }, { basis: 'b' }]],
    ['a project whose dictionary has changed', [{ version: 'a' }, { version: 'b' }]],
    [
      'a project and a request that concatenate alike',
      [
        { project: 1, text: '12' },
        { project: 11, text: '2' },
      ],
    ],
  ])('does not serve %s', async (_, calls) => {
    expect(await countComputed(calls)).toBe(2)
  })

  test('does not serve an equal message of another type', async () => {
    expect(await countComputed([{}], [StringValueSchema, UInt64ValueSchema])).toBe(2)
  })
})

// How long the lists of the console take among the events of the insights benchmark, with a million ids that were merged: the
// feed of one user, the newest events with and without their users, and the names that a filter offers. The median of some
// calls, from the call to its decoded answer, without the transport.
import { create } from '@bufbuild/protobuf'
import { GetFilterSchemaRequestSchema } from '../../src/contract/gen/common/v1/filter_schema_pb.js'
import {
  GetActivityFeedRequestSchema,
  GetEventExplorerRequestSchema,
} from '../../src/contract/gen/shared/activity/v1/activity_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { exploreEvents, listActivity } from '../../src/query/activity/event-lists.ts'
import { describeFilterSchema } from '../../src/query/filter-schema/filter-schema.ts'
import { createRunQuery } from '../../src/query/sql/run.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { TRAFFIC_RANGE } from '../insights/world/traffic.ts'
import { openWorld, type World } from '../insights/world/world.ts'
import { type OnWorld, runOnWorld } from '../rig/run-command.ts'
import { median } from '../summary.ts'

const EVENTS = 20_000_000
const PROJECT = asProjectId(1)
const USERS = 12
const CALLS = 7
const TIMEOUT_MS = 30_000
const LIMITS = {
  timeoutSeconds: TIMEOUT_MS / 1000,
  memoryBytesMax: 2 ** 31,
  readRowsMax: 1e12,
  resultRowsMax: 1e6,
  resultBytesMax: 1e9,
}

await runOnWorld('bench:activity', measure)

async function measure({ folder, teardown }: OnWorld): Promise<void> {
  const plan = { events: EVENTS, project: PROJECT }
  const world = await openWorld({ plan, folder, threads: 2, onProgress: () => undefined }, teardown)
  await world.become('members')
  const runQuery = createRunQuery(world.clickhouse, LIMITS)
  const run: QueryRunner = async (query) => await runQuery(query, AbortSignal.timeout(TIMEOUT_MS))
  const project = { projectId: PROJECT }
  const call = { ...project, nowMs: TRAFFIC_RANGE.toMs, run }
  for (const distinctId of await chooseUsers(world)) {
    const request = create(GetActivityFeedRequestSchema, { distinctId })
    await report('a page of a feed', async () => (await listActivity({ ...call, request })).events.length)
  }
  for (const withUsers of [false, true]) {
    const request = create(GetEventExplorerRequestSchema, { withUsers })
    const name = `the newest events ${withUsers ? 'with' : 'without'} their users`
    await report(name, async () => (await exploreEvents({ ...call, project, request })).events.length)
  }
  for (const eventKind of ['', 'purchase']) {
    const request = create(GetFilterSchemaRequestSchema, { eventKind })
    const name = `names for filters of ${eventKind === '' ? 'every event' : eventKind}`
    await report(name, async () => {
      const { autoPropertyKeys = [], customPropertyKeys = [] } = await describeFilterSchema({
        ...call,
        request,
      })
      return autoPropertyKeys.length + customPropertyKeys.length
    })
  }
}

/** Prints how long a list takes, and how many entries it has. */
async function report(name: string, read: () => Promise<number>): Promise<void> {
  const times: number[] = []
  let entryCount = 0
  for (let call = 0; call < CALLS; call++) {
    const startMs = monotonicMs()
    entryCount = await read()
    times.push(monotonicMs() - startMs)
  }
  process.stdout.write(`${name}, ${entryCount}: ${median(times).toFixed(1)} ms\n`)
}

/** An arbitrary choice of users, the same in each run. */
async function chooseUsers({ clickhouse }: World): Promise<readonly string[]> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT distinct_id FROM users WHERE project = {project:UInt32} ORDER BY cityHash64(distinct_id) LIMIT {users:UInt32}`,
    query_params: { project: PROJECT, users: USERS },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ readonly distinct_id: string }>()
  return rows.map(({ distinct_id }) => distinct_id)
}

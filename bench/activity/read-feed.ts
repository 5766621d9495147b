// How long the feed of one user takes among the events of the insights benchmark, with a million ids that were merged: the
// median of some calls for each of some users, from the call to its decoded page, without the transport.
import { create } from '@bufbuild/protobuf'
import { GetActivityFeedRequestSchema } from '../../src/contract/gen/shared/activity/v1/activity_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { listActivity } from '../../src/query/activity/event-lists.ts'
import { createRunQuery } from '../../src/query/sql/run.ts'
import { openWorld, type World } from '../insights/world/world.ts'
import { type OnWorld, runOnWorld } from '../rig/run-command.ts'

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
  const run = createRunQuery(world.clickhouse, LIMITS)
  for (const distinctId of await chooseUsers(world)) {
    const request = create(GetActivityFeedRequestSchema, { distinctId })
    const times: number[] = []
    let eventCount = 0
    for (let call = 0; call < CALLS; call++) {
      const startMs = monotonicMs()
      const page = await listActivity({
        request,
        projectId: PROJECT,
        nowMs: Date.now(),
        run: async (query) => await run(query, AbortSignal.timeout(TIMEOUT_MS)),
      })
      times.push(monotonicMs() - startMs)
      eventCount = page.events.length
    }
    const median = times.sort((a, b) => a - b)[Math.floor(CALLS / 2)]
    process.stdout.write(`a page of ${eventCount} events: ${median?.toFixed(1)} ms\n`)
  }
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

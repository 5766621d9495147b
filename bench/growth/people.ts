import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { ADMIN } from '../../test/harness/console-service.ts'
import { call } from '../rig/call.ts'
import type { BenchService } from '../rig/service.ts'
import { FRESH } from '../rig/twenty-tiles.ts'
import type { Probe } from './probe.ts'

const PROJECT = '1'
const PROFILES = 'shared.profiles.v1.ProfilesService'
const POLL_MS = 200
const JOB_MS_MAX = 1_800_000
const FRAME_HEAD_BYTES = 5

/** People who are erased together. */
const PEOPLE_TOGETHER = 20

/** Users of the first project with a middling number of events, among a sample; none is an id that another one has claimed. */
const CHOOSE_USERS = `SELECT distinct_id AS id FROM events WHERE project = 1 AND NOT cookieless
  AND user_hash NOT IN (SELECT id_hash FROM identity_claims WHERE project = 1)
  AND user_hash % greatest(1, intDiv((SELECT count() FROM events WHERE project = 1), 20000)) = 0
GROUP BY id ORDER BY abs(toInt64(count()) - 30), id LIMIT ${PEOPLE_TOGETHER}`

const ROWS_OF_PROJECT = `SELECT toUInt32(count()) AS rows FROM events WHERE project = {project:UInt32}`

/** Records what the list of people and the feed of one of them cost. */
export async function measurePeople(service: BenchService, probe: Probe): Promise<void> {
  const headers = { 'x-api-key': service.privateKey, ...FRESH }
  const [distinctId] = await chooseUsers(service)
  if (distinctId === undefined) throw new Error('the traffic has no such user')
  await probe.question(
    'activity of a person',
    async () =>
      await call(service, 'shared.activity.v1.ActivityService/GetActivityFeed', { distinctId }, headers),
  )
  await probe.question('people: first page', async () => await listPeople(service, {}))
  await probe.question('people: search', async () => await listPeople(service, { search: 'customer 12' }))
}

/** Records the erasure of a person, of several whose requests arrive together, and of a project. */
export async function measureErasures(
  service: BenchService,
  lastProject: string | undefined,
  probe: Probe,
): Promise<void> {
  const owner = await signIn(service)
  await measureErasure(service, { people: 1, name: 'erasure of a person', headers: owner(PROJECT) }, probe)
  const together = { people: PEOPLE_TOGETHER, name: `erasure of ${PEOPLE_TOGETHER} people` }
  await measureErasure(service, { ...together, headers: owner(PROJECT) }, probe)
  if (lastProject === undefined || lastProject === PROJECT) return
  const ofProject = await probe.costOf(async () => {
    await call(service, 'dashboard.projects.v1.ProjectsService/Delete', {}, owner(lastProject))
    await until('the deletion of a project', async () => (await countEvents(service, lastProject)) === 0)
  })
  probe.record('deletion of a project', 's CPU', ofProject)
}

async function measureErasure(
  service: BenchService,
  erased: {
    readonly people: number
    readonly name: string
    readonly headers: Readonly<Record<string, string>>
  },
  probe: Probe,
): Promise<void> {
  const { people, name, headers } = erased
  const users = await chooseUsers(service)
  if (users.length < people) return
  const startMs = monotonicMs()
  const cpuSeconds = await probe.costOf(async () => {
    const requests = await Promise.all(
      users
        .slice(0, people)
        .map(
          async (externalId) => await call(service, `${PROFILES}/DeleteDataSubject`, { externalId }, headers),
        ),
    )
    for (const { requestId } of requests) {
      await until(name, async () => {
        const { status } = await call(service, `${PROFILES}/GetDeletionRequest`, { requestId }, headers)
        return status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED'
      })
    }
  })
  probe.record(name, 's CPU', cpuSeconds)
  probe.record(`${name}, duration`, 's', (monotonicMs() - startMs) / 1000)
}

async function signIn(service: BenchService): Promise<(project: string) => Record<string, string>> {
  const { token } = await call(service, 'public.auth.v1.AuthService/SignInWithEmail', ADMIN)
  return (project) => ({ authorization: `Bearer ${token}`, 'x-project-id': project })
}

/** Reads a page with its counts: a stream of messages, each with a head of five bytes. */
async function listPeople({ url, privateKey }: BenchService, request: object): Promise<void> {
  const message = Buffer.from(JSON.stringify({ ...request, withCounts: true }))
  const head = Buffer.alloc(FRAME_HEAD_BYTES)
  head.writeUInt32BE(message.length, 1)
  const response = await fetch(`${url}/${PROFILES}/List`, {
    method: 'POST',
    headers: {
      'content-type': 'application/connect+json',
      'connect-protocol-version': '1',
      'x-api-key': privateKey,
      ...FRESH,
    },
    body: Buffer.concat([head, message]),
  })
  const text = await response.text()
  if (!response.ok || !text.includes('totalProfiles')) throw new Error(`the list failed: ${text.slice(-500)}`)
}

async function countEvents({ store: { clickhouse } }: BenchService, project: string): Promise<number> {
  const result = await clickhouse.query({
    query: ROWS_OF_PROJECT,
    query_params: { project },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ readonly rows: number }>()
  return row?.rows ?? Number.NaN
}

async function chooseUsers({ store: { clickhouse } }: BenchService): Promise<readonly string[]> {
  const result = await clickhouse.query({ query: CHOOSE_USERS, format: 'JSONEachRow' })
  const rows = await result.json<{ readonly id: string }>()
  return rows.map(({ id }) => id)
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const endMs = monotonicMs() + JOB_MS_MAX
  while (!(await isDone())) {
    if (monotonicMs() > endMs) throw new Error(`${what} did not end`)
    await sleep(POLL_MS)
  }
}

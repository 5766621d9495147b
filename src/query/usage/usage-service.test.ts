import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { beforeEach, expect, test } from 'vitest'
import { addCustomer, addMember, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  type GetUsageResponse,
  UsageService,
} from '../../contract/gen/dashboard/usage/v1/usage_service_pb.js'
import { asOrganisationId, type CustomerId, type ProjectId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { NO_NAME_FACTS } from '../../store/catalog/name-facts.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { AnswerCache } from '../calls/answer-cache.ts'
import type { QueryPorts } from '../calls/query-call.ts'
import { toSet } from '../cohorts/cohort-reader.ts'
import { QueryGate } from '../sql/query-gate.ts'
import { render } from '../sql/sql.ts'
import { createUsageService } from './usage-service.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-06-15T12:34:56Z')
const OURS = asOrganisationId('ours')
const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`)

describeCatalog('the usage of an organisation', (under) => {
  let nowMs: number
  let answerTtlMs: number
  let shop: ProjectId
  let blog: ProjectId
  let theirs: ProjectId
  let ada: CustomerId
  let answers: AnswerCache
  /** Events by project and day, as the store has them. */
  let stored: [project: ProjectId, day: string, count: number][]
  let asked: string[]

  beforeEach(async () => {
    nowMs = NOW_MS
    answerTtlMs = 1000
    answers = new AnswerCache({ bytesMax: 1_000_000 })
    asked = []
    shop = await addProject('ours', 'Shop')
    blog = await addProject('ours', 'Blog')
    theirs = await addProject('theirs', 'Theirs')
    ada = await addMember(under.catalog, {
      organisationId: OURS,
      email: 'ada@example.org',
      role: 'viewer',
    })
    stored = [
      [shop, '2026-05-31', 5],
      [shop, '2026-06-01', 7],
      [shop, '2026-06-15', 1],
      [blog, '2026-06-01', 20],
      [theirs, '2026-06-01', 1000],
    ]
  })

  const addProject = async (id: string, displayName: string): Promise<ProjectId> => {
    const organisationId = asOrganisationId(id)
    const row = { id: organisationId, display_name: id, created_ms: 1 }
    await under.catalog
      .insertInto('organisations')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return await insertProject(under.catalog, { nowMs: () => nowMs }, { organisationId, displayName })
  }

  const giveRole = async (role: Role): Promise<void> => {
    const row = { organisation_id: OURS, customer_id: ada, project_id: Number(blog), role, created_ms: 1 }
    await under.catalog.insertInto('project_roles').values(row).execute()
  }

  /** Counts what is stored, as the statement asks. */
  const run: QueryPorts['run'] = async ({ statement, decode }) => {
    const [project, , , fromMs, toMs] = Object.values(render(statement).params).map(Number)
    if (project === undefined || fromMs === undefined || toMs === undefined) throw new Error('no range')
    asked.push(`${project} ${new Date(fromMs).toISOString()} ${(toMs - fromMs) / DAY_MS}`)
    const rows = stored.filter(
      ([id, day]) => Number(id) === project && dayOf(day) >= fromMs && dayOf(day) < toMs,
    )
    return await Promise.resolve(rows.map(([, day, count]) => decode([String(dayOf(day)), String(count)])))
  }

  const client = (customerId = ada) =>
    clientOf(
      UsageService,
      createUsageService({
        run,
        gate: new QueryGate({ runningMax: 1, waitingPerProjectMax: 100, waitMsMax: 60_000 }),
        projects: {
          read: async () => await Promise.resolve({ reportingTimezone: 'UTC', names: NO_NAME_FACTS }),
        } as unknown as QueryPorts['projects'],
        readCohorts: async () => await Promise.resolve(toSet([])),
        answers,
        catalog: under.catalog,
        clock: { nowMs: () => nowMs },
        answerTtlMs,
        timeoutMs: 10_000,
      }),
      { customerId },
    )

  const rangeOf = (from: string, to: string) => ({
    from: timestampFromMs(Date.parse(from)),
    to: timestampFromMs(Date.parse(to)),
  })
  const daysOf = ({ daily }: GetUsageResponse): readonly string[] =>
    daily.map(
      ({ day, projectId, eventCount }) =>
        `${day ? new Date(timestampMs(day)).toISOString().slice(0, 10) : ''} ${projectId} ${eventCount}`,
    )
  const monthsOf = ({ monthly }: GetUsageResponse): readonly string[] =>
    monthly.map(
      ({ month, projectId, eventCount }) =>
        `${month ? new Date(timestampMs(month)).toISOString().slice(0, 10) : ''} ${projectId} ${eventCount}`,
    )

  test('without a range, the current month is counted by project and day', async () => {
    const usage = await client().getUsage({ orgId: OURS })
    expect(usage).toMatchObject({
      usedEvents: 28n,
      periodStart: timestampFromMs(dayOf('2026-06-01')),
      periodEnd: timestampFromMs(dayOf('2026-07-01')),
      usageComputedAt: timestampFromMs(NOW_MS),
    })
    expect(daysOf(usage)).toEqual([`2026-06-01 ${shop} 7`, `2026-06-01 ${blog} 20`, `2026-06-15 ${shop} 1`])
    expect(monthsOf(usage)).toEqual([`2026-06-01 ${shop} 8`, `2026-06-01 ${blog} 20`])
    expect(asked).toHaveLength(2)
  })

  test('a range is extended to whole days, and does not change the count of the month', async () => {
    const range = rangeOf('2026-05-31T23:00:00Z', '2026-06-01T00:00:01Z')
    const usage = await client().getUsage({ orgId: OURS, range })
    expect(usage.usedEvents).toBe(28n)
    expect(daysOf(usage)).toEqual([`2026-05-31 ${shop} 5`, `2026-06-01 ${shop} 7`, `2026-06-01 ${blog} 20`])
    expect(monthsOf(usage)).toEqual([`2026-05-01 ${shop} 5`, `2026-06-01 ${shop} 7`, `2026-06-01 ${blog} 20`])
  })

  test('a range within the month, or around it, is counted with the month', async () => {
    const within = await client().getUsage({
      orgId: OURS,
      range: rangeOf('2026-06-15T00:00:00Z', '2026-06-16T00:00:00Z'),
    })
    expect([within.usedEvents, ...daysOf(within)]).toEqual([28n, `2026-06-15 ${shop} 1`])
    expect(asked).toHaveLength(2)
    const around = await client().getUsage({
      orgId: OURS,
      range: rangeOf('2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z'),
    })
    expect([around.usedEvents, daysOf(around).length]).toEqual([28n, 4])
    expect(asked).toHaveLength(4)
  })

  test('projects that are not open to the caller are left out', async () => {
    await giveRole('guest')
    const usage = await client().getUsage({ orgId: OURS })
    expect([usage.usedEvents, ...monthsOf(usage)]).toEqual([8n, `2026-06-01 ${shop} 8`])
    const stranger = await client(await addCustomer(under.catalog, 'eve@example.org')).getUsage({
      orgId: OURS,
    })
    expect([stranger.usedEvents, stranger.daily]).toEqual([0n, []])
  })

  test('counts are cached, and belong to their project', async () => {
    const first = await client().getUsage({ orgId: OURS })
    stored.push([shop, '2026-06-02', 100])
    nowMs += 1
    expect(await client().getUsage({ orgId: OURS })).toEqual(first)
    const fresh = await client().getUsage({ orgId: OURS }, { headers: { 'cache-control': 'no-cache' } })
    expect(fresh.usedEvents).toBe(128n)
    expect(asked).toHaveLength(4)
  })

  test('nothing is cached where answers are not', async () => {
    answerTtlMs = 0
    await client().getUsage({ orgId: OURS })
    stored.push([shop, '2026-06-02', 100])
    expect((await client().getUsage({ orgId: OURS })).usedEvents).toBe(128n)
  })

  test('400 days that begin at noon are counted, and more are refused', async () => {
    const noonMs = NOW_MS - (NOW_MS % DAY_MS) + DAY_MS / 2
    const ask = (days: number) =>
      client().getUsage({
        orgId: OURS,
        range: { from: timestampFromMs(noonMs - days * DAY_MS), to: timestampFromMs(noonMs) },
      })
    expect(monthsOf(await ask(400))).toHaveLength(3)
    expect(await refusalOf(ask(401))).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
  })

  test('a range without end is refused, and one beyond all events has none', async () => {
    const far = rangeOf('9999-12-01T00:00:00Z', '9999-12-31T23:59:59Z')
    const usage = await client().getUsage({ orgId: OURS, range: far })
    expect([usage.usedEvents, usage.daily]).toEqual([28n, []])
    const endless = rangeOf('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z')
    expect(await refusalOf(client().getUsage({ orgId: OURS, range: endless }))).toEqual([
      'InvalidArgument',
      'INVALID_REQUEST',
    ])
  })
})

import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Client, ConnectError } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import {
  AlertsRig,
  alertOf,
  type Content,
  signUps,
  trendOf,
  trendsOf,
} from '../../../test/harness/alerts-rig.ts'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  AlertCadence,
  AlertState,
  AlertFunnelPoint_Measure as Measure,
  AlertCondition_Operator as Operator,
  AlertCheck_Outcome as Outcome,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { AlertsService } from '../../contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import { InsightContentSchema } from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '../../contract/gen/millrace/library/v1/saved_insights_service_pb.js'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { createInsight, deleteInsight } from '../library/saved-insight-store.ts'
import { createSavedInsightsService } from '../library/saved-insights-service.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-06-01T10:30:00Z')
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const INVALID: Refusal = ['InvalidArgument', 'INVALID_REQUEST']

describeCatalog('alerts', (under) => {
  let rig: AlertsRig
  let projectId: ProjectId
  let ours: Client<typeof AlertsService>

  beforeEach(async () => {
    rig = new AlertsRig(under.catalog, START_MS)
    projectId = await rig.addProject('Ours')
    ours = rig.connect(projectId)
  })

  const add = async (change: Partial<Content> = {}) =>
    alertOf(await ours.create({ content: signUps(change) }))
  const refusalFor = async (change: Partial<Content>) =>
    await refusalOf(ours.create({ content: signUps(change) }))
  const saveInsight = async (name: string): Promise<string> => {
    const content = create(InsightContentSchema, { name, spec: trendOf('signup') })
    return (await createInsight(under.catalog, projectId, { content, account: 'ann', nowMs: 1 })).id
  }

  test('an alert has what was saved, its author and the time of its first check', async () => {
    const alert = await add({ note: 'Look at the campaign' })
    expect(alert).toMatchObject({
      content: { name: 'Sign-ups', note: 'Look at the campaign', cadence: AlertCadence.HOURLY },
      state: AlertState.OK,
      createdBy: 'ann',
      failures: 0,
    })
    const minute = 3 + (projectId % 10)
    expect(alert.nextCheckTime && timestampMs(alert.nextCheckTime)).toBe(
      Date.parse('2026-06-01T11:00:00Z') + minute * 60_000,
    )
    expect(alertOf(await ours.get({ id: alert.id }))).toEqual(alert)
  })

  test('a paused alert has no next check', async () => {
    expect((await add({ paused: true })).nextCheckTime).toBeUndefined()
  })

  test.each<[string, Partial<Content>, Refusal]>([
    ['a blank name', { name: '  ' }, INVALID],
    [
      'an unknown saved insight',
      { question: { case: 'savedInsightId', value: UNKNOWN_ID } },
      ['NotFound', 'SAVED_INSIGHT_NOT_FOUND'],
    ],
    ['an unknown channel', { channelIds: [UNKNOWN_ID] }, ['NotFound', 'CHANNEL_NOT_FOUND']],
    [
      'a cohort that is no id',
      { question: { case: 'spec', value: { ...trendOf('x'), cohorts: [{ cohortId: 'a' }] } } },
      ['NotFound', 'COHORT_NOT_FOUND'],
    ],
    [
      'an unknown zone',
      { quietHours: { startMinute: 1, endMinute: 2, timeZone: 'Mars' } },
      ['InvalidArgument', 'INVALID_TIMEZONE'],
    ],
    [
      'a point that the insight lacks',
      { point: { kind: { case: 'series', value: { series: 9 } } } },
      ['InvalidArgument', 'INVALID_ALERT'],
    ],
    [
      'a query that is not valid',
      {
        question: {
          case: 'spec',
          value: { insightType: InsightType.TRENDS, formulas: [{ expression: 'Z' }] },
        },
      },
      ['InvalidArgument', 'INVALID_INSIGHT_QUERY'],
    ],
  ])('%s is refused', async (_, change, refusal) => {
    expect(await refusalFor(change)).toEqual(refusal)
  })

  test('an alert of another project is not found', async () => {
    const { id } = await add()
    const theirs = rig.connect(await rig.addProject('Theirs'))
    const missing: Refusal = ['NotFound', 'ALERT_NOT_FOUND']
    for (const call of [
      () => theirs.get({ id }),
      () => theirs.update({ id, content: signUps() }),
      () => theirs.delete({ id }),
      () => theirs.test({ id }),
      () => theirs.snooze({ id }),
      () => theirs.listChecks({ alertId: id }),
      () => ours.get({ id: 'x' }),
    ])
      expect(await refusalOf(call())).toEqual(missing)
  })

  test('a list has firing alerts first, then names in any case, page by page', async () => {
    for (const name of ['beta', 'Alpha', 'gamma']) await add({ name })
    const { id } = await add({ name: 'zeta' })
    await under.catalog.updateTable('alerts').set({ state: 'firing' }).where('id', '=', id).execute()
    const first = await ours.list({ pageSize: 3 })
    const second = await ours.list({ pageSize: 3, pageToken: first.nextPageToken })
    const names = [...first.alerts, ...second.alerts].map(({ content }) => content?.name)
    expect(names).toEqual(['zeta', 'Alpha', 'beta', 'gamma'])
    expect([first.totalCount, first.firingCount, second.nextPageToken]).toEqual([4, 1, ''])
    const found = async (request: Parameters<typeof ours.list>[0]) => (await ours.list(request)).totalCount
    expect([await found({ firingOnly: true }), await found({ search: 'ALP' })]).toEqual([1, 1])
  })

  test('a saved insight names the alerts that follow it, and is not deleted while there are any', async () => {
    const savedInsightId = await saveInsight('Sign-ups by hour')
    const { id } = await add({
      name: 'Few sign-ups',
      question: { case: 'savedInsightId', value: savedInsightId },
    })
    const remove = deleteInsight(under.catalog, { projectId, id: savedInsightId })
    await expect(remove).rejects.toMatchObject({
      reason: 'SAVED_INSIGHT_IN_USE',
      message: 'the alert "Few sign-ups" follows the saved insight; change or delete that first',
    })
    expect((await ours.list({ savedInsightId })).alerts.map((alert) => alert.id)).toEqual([id])
    const saved = clientOf(
      SavedInsightsService,
      createSavedInsightsService({ catalog: under.catalog, clock: { nowMs: () => START_MS } }),
      {
        customerId: asCustomerId('ann'),
        project: { projectId, organisationId: asOrganisationId('o'), role: 'viewer' },
      },
    )
    const { insight } = await saved.get({ id: savedInsightId })
    expect(insight?.usedBy).toMatchObject([{ alertId: id, alertName: 'Few sign-ups', dashboardId: '' }])
    await ours.delete({ id })
    await deleteInsight(under.catalog, { projectId, id: savedInsightId })
  })

  test('the recurring job of a cadence stays as long as an alert has it', async () => {
    const jobs = async () =>
      (await under.catalog.selectFrom('recurring_jobs').select('id').orderBy('id').execute()).map(({ id }) =>
        id.split('/').at(-1),
      )
    const first = await add()
    const second = await add()
    expect(await jobs()).toEqual(['hour'])
    await ours.update({ id: first.id, content: signUps({ cadence: AlertCadence.DAILY }) })
    expect(await jobs()).toEqual(['day', 'hour'])
    await ours.delete({ id: second.id })
    expect(await jobs()).toEqual(['day'])
  })

  test('a snooze ends at most 366 days from now, and a time in the past ends it', async () => {
    const { id } = await add()
    const until = timestampFromMs(START_MS + HOUR_MS)
    expect(alertOf(await ours.snooze({ id, until })).snoozeUntil).toEqual(until)
    expect(alertOf(await ours.snooze({ id, until: timestampFromMs(1) })).snoozeUntil).toBeUndefined()
    const far = timestampFromMs(START_MS + 367 * 24 * HOUR_MS)
    expect(await refusalOf(ours.snooze({ id, until: far }))).toEqual(INVALID)
  })

  test('a test finds the number of the last complete hour and keeps the state', async () => {
    const { id } = await add()
    rig.answer = () => trendsOf(11)
    const { check, deliveries } = await ours.test({ id })
    expect(check).toMatchObject({ outcome: Outcome.FIRING, value: 11 })
    expect(check?.to && timestampMs(check.to)).toBe(Date.parse('2026-06-01T10:00:00Z'))
    expect(deliveries).toEqual([])
    expect(alertOf(await ours.get({ id })).state).toBe(AlertState.OK)
    expect((await ours.listChecks({ alertId: id })).checks).toEqual([])
  })

  /** One point for each hour of the range, with the number of the hour. */
  const hourly = ({ timeRange }: QueryRequest) => {
    const fromMs = timestampMs(timeRange?.from ?? timestampFromMs(0))
    const hours = (timestampMs(timeRange?.to ?? timestampFromMs(0)) - fromMs) / HOUR_MS
    const points = Array.from({ length: hours }, (_, index) => {
      const ms = fromMs + index * HOUR_MS
      return { time: timestampFromMs(ms), value: new Date(ms).getUTCHours() }
    })
    return create(QueryResponseSchema, { result: { case: 'trends', value: { series: [{ points }] } } })
  }

  test('a preview over time covers 30 days of hours with few questions', async () => {
    rig.answer = hourly
    const content = signUps({
      condition: { subject: Subject.VALUE, operator: Operator.ABOVE, threshold: 20 },
    })
    const { checks, firedCount, from, to } = await ours.preview({ content })
    expect([checks.length, firedCount, rig.asked.length]).toEqual([720, 30, 3])
    expect(checks.filter(({ outcome }) => outcome === Outcome.FIRING)).toHaveLength(90)
    expect([from, to]).toEqual([checks[0]?.from, checks.at(-1)?.to])
    expect(to && timestampMs(to)).toBe(Date.parse('2026-06-01T10:00:00Z'))
  })

  test('a preview of a change compares each hour with the one before', async () => {
    rig.answer = hourly
    const content = signUps({
      condition: { subject: Subject.CHANGE, operator: Operator.BELOW, threshold: -5 },
    })
    const { checks, firedCount } = await ours.preview({ content })
    expect(firedCount).toBe(30)
    expect(checks.find(({ outcome }) => outcome === Outcome.FIRING)).toMatchObject({
      value: 0,
      baseline: 23,
      observed: -23,
    })
  })

  test('a preview of a funnel asks once for each of its units', async () => {
    let total = 0
    rig.answer = () => {
      total++
      const steps = [{ total, conversionFromFirst: 100, conversionFromPrevious: 100 }]
      return create(QueryResponseSchema, { result: { case: 'funnel', value: { series: [{ steps }] } } })
    }
    const content = signUps({
      question: { case: 'spec', value: { insightType: InsightType.FUNNEL, events: [{}] } },
      point: { kind: { case: 'funnel', value: { step: 1, measure: Measure.TOTAL } } },
    })
    const { checks } = await ours.preview({ content })
    expect([checks.length, rig.asked.length]).toEqual([48, 48])
    expect(
      checks
        .map(({ value }) => value)
        .toSorted((a, b) => a - b)
        .at(-1),
    ).toBe(48)
  })

  test('a project has at most 1000 alerts', async () => {
    const { id } = await add()
    const row = await under.catalog
      .selectFrom('alerts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 999 }, (_, index) => ({ ...row, id: `${index}` }))
    for (let from = 0; from < rows.length; from += 100)
      await under.catalog
        .insertInto('alerts')
        .values(rows.slice(from, from + 100))
        .execute()
    expect(await refusalFor({})).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
  })

  test('an error of the content names the field of the request', async () => {
    const point: Content['point'] = { kind: { case: 'series', value: { series: 3 } } }
    const error = await ours.create({ content: signUps({ point }) }).catch((thrown: unknown) => thrown)
    expect(ConnectError.from(error).rawMessage).toBe(
      'content.point: names a series that the insight does not have',
    )
  })
})

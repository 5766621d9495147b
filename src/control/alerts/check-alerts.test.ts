import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import {
  AlertsRig,
  alertOf,
  type Content,
  signUps,
  trendOf,
  trendsOf,
} from '../../../test/harness/alerts-rig.ts'
import { addMember } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  AlertCadence,
  AlertState,
  AlertUnit,
  AlertFunnelPoint_Measure as Measure,
  AlertCondition_Operator as Operator,
  AlertCheck_Outcome as Outcome,
  PauseReason,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { AlertsService } from '../../contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import { InsightContentSchema } from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '../../contract/gen/shared/insights/v1/session_query_pb.js'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { createInsight, replaceInsight } from '../library/saved-insight-store.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-06-01T10:00:00Z')

describeCatalog('checks of alerts', (under) => {
  let rig: AlertsRig
  let projectId: ProjectId
  let channelId: string
  let ours: Client<typeof AlertsService>

  beforeEach(async () => {
    rig = new AlertsRig(under.catalog, START_MS)
    projectId = await rig.addProject('Ours')
    channelId = await rig.addChannel(projectId)
    ours = rig.connect(projectId)
  })

  const add = async (change: Partial<Content> = {}): Promise<string> =>
    alertOf(await ours.create({ content: signUps({ channelIds: [channelId], ...change }) })).id
  const read = async (id: string) => alertOf(await ours.get({ id }))
  const replace = async (id: string, change: Partial<Content>) =>
    alertOf(await ours.update({ id, content: signUps({ channelIds: [channelId], ...change }) }))
  /** Checks the next hours, with one value for each. */
  const checkHours = async (...values: readonly number[]): Promise<void> => {
    for (const value of values) {
      rig.nowMs += HOUR_MS
      rig.answer = () => trendsOf(value)
      await rig.check(projectId, { toMs: Math.floor(rig.nowMs / HOUR_MS) * HOUR_MS })
    }
  }
  const failWith = (code: 'not_found' | 'unavailable') => {
    rig.answer = async () =>
      await Promise.reject(
        new ServiceError({ code, reason: 'COHORT_NOT_FOUND', message: 'there is no cohort with this id' }),
      )
  }
  /** The alerts that follow are those of a member, who gets the mails about them. */
  const signInAsAuthor = async (): Promise<string> => {
    const account = await addMember(under.catalog, {
      organisationId: asOrganisationId('org-Ours'),
      email: 'author@example.org',
      role: 'member',
    })
    ours = rig.connect(projectId, account)
    return account
  }
  const typesOf = async (): Promise<readonly string[]> =>
    (await rig.deliveriesOf(channelId)).map(({ type }) => type)
  const outcomesOf = async (alertId: string): Promise<readonly Outcome[]> =>
    (await ours.listChecks({ alertId })).checks.map(({ outcome }) => outcome).toReversed()

  test('each transition makes one notification, and a state that stays none', async () => {
    const id = await add()
    await checkHours(10, 11, 12, 3, 3, 30)
    expect(await typesOf()).toEqual(['alert.firing', 'alert.resolved', 'alert.firing'])
    expect((await read(id)).state).toBe(AlertState.FIRING)
    expect(await outcomesOf(id)).toEqual([1, 2, 2, 1, 1, 2])
  })

  test('a notification tells the value, the threshold and the measured time', async () => {
    const id = await add({ note: 'Look at the landing page.' })
    await checkHours(4321.5)
    const [delivery] = await rig.deliveriesOf(channelId)
    expect(delivery?.notification).toMatchObject({
      id: `alert-${id}-firing-${START_MS + HOUR_MS}`,
      title: 'Sign-ups is firing',
      text: [
        'The value is 4,321.5. The alert fires when the value is above 10.',
        'Measured from 2026-06-01 10:00 to 2026-06-01 11:00 (UTC).',
        'Look at the landing page.',
      ].join('\n'),
      link: `https://millrace.example.com/p/${projectId}/alerts/${id}`,
      facts: { alert_id: id, value: 4321.5, baseline: null, observed: 4321.5, threshold: 10 },
    })
  })

  test('a notification writes rates in percent, and their changes in percentage points', async () => {
    const rate = (conversionFromFirst: number) =>
      create(QueryResponseSchema, {
        result: {
          case: 'funnel',
          value: { series: [{ steps: [{ total: 100 }, { total: 40, conversionFromFirst }] }] },
        },
      })
    const events = [{ event: { kind: 'visit' } }, { event: { kind: 'signup' } }]
    const id = await add({
      question: { case: 'spec', value: { insightType: InsightType.FUNNEL, events } },
      point: { kind: { case: 'funnel', value: { step: 2, measure: Measure.RATE_FROM_FIRST } } },
      condition: { subject: Subject.CHANGE, operator: Operator.BELOW, threshold: -2.25 },
    })
    const answers = [rate(37.25), rate(42.5)]
    rig.answer = () => answers.shift() ?? rate(0)
    rig.nowMs += HOUR_MS
    await rig.check(projectId, { toMs: rig.nowMs })
    const [delivery] = await rig.deliveriesOf(channelId)
    expect(delivery?.notification?.text).toContain(
      'The value is 37.25%, a change of -5.25 percentage points from 42.5%. ' +
        'The alert fires when the change from the period before is below -2.25 percentage points.',
    )
    expect(delivery?.notification?.facts).toMatchObject({ value: 37.25, observed: -5.25, unit: 'percent' })
    expect((await read(id)).unit).toBe(AlertUnit.PERCENT)
  })

  test('an alert has the unit of its saved insight as it is now', async () => {
    const save = (metric: SessionMetric) => ({
      content: create(InsightContentSchema, {
        name: 'Visits',
        spec: { insightType: InsightType.TRENDS, session: { metric } },
      }),
      account: '',
      nowMs: rig.nowMs,
    })
    const insight = await createInsight(under.catalog, projectId, save(SessionMetric.SESSIONS))
    const id = await add({ question: { case: 'savedInsightId', value: insight.id } })
    expect((await read(id)).unit).toBe(AlertUnit.NUMBER)
    await replaceInsight(under.catalog, { projectId, id: insight.id }, save(SessionMetric.BOUNCE_RATE))
    expect((await read(id)).unit).toBe(AlertUnit.PERCENT)
  })

  test('a unit is checked once, however often its job runs', async () => {
    const id = await add()
    await checkHours(11)
    const toMs = rig.nowMs
    rig.answer = () => trendsOf(3)
    await rig.check(projectId, { toMs })
    await rig.check(projectId, { toMs: toMs - HOUR_MS })
    expect(await typesOf()).toEqual(['alert.firing'])
    expect(await outcomesOf(id)).toEqual([Outcome.FIRING])
  })

  test('two runs of one unit at once make one check and one notification', async () => {
    const id = await add()
    rig.nowMs += HOUR_MS
    rig.answer = () => trendsOf(11)
    const toMs = rig.nowMs
    await Promise.all([rig.check(projectId, { toMs }), rig.check(projectId, { toMs })])
    expect(await typesOf()).toEqual(['alert.firing'])
    expect(await outcomesOf(id)).toEqual([Outcome.FIRING])
  })

  test('a unit that another run checks during the question is not checked again', async () => {
    const id = await add()
    rig.nowMs += HOUR_MS
    const toMs = rig.nowMs
    rig.answer = async () => {
      rig.answer = () => trendsOf(3)
      await rig.check(projectId, { toMs })
      return trendsOf(11)
    }
    await rig.check(projectId, { toMs })
    expect((await ours.listChecks({ alertId: id })).checks).toMatchObject([
      { outcome: Outcome.OK, value: 3, notificationId: '' },
    ])
    expect(await typesOf()).toEqual([])
  })

  test('a clock that was far ahead stops no checks once it is right again', async () => {
    const id = await add()
    rig.nowMs += 40 * 24 * HOUR_MS
    await checkHours(11)
    rig.nowMs = START_MS
    await checkHours(3)
    expect((await typesOf()).toSorted()).toEqual(['alert.firing', 'alert.resolved'])
    expect(await read(id)).toMatchObject({ state: AlertState.OK, lastCheck: { outcome: Outcome.OK } })
  })

  test('alerts with one question share its answer', async () => {
    await add()
    await add({
      name: 'Fewer',
      condition: { subject: Subject.VALUE, operator: Operator.BELOW, threshold: 5 },
    })
    await add({
      name: 'Change',
      condition: { subject: Subject.CHANGE, operator: Operator.BELOW, threshold: -5 },
    })
    await checkHours(11)
    const asked = rig.asked.map(({ timeRange }) => timestampMs(timeRange?.from ?? timestampFromMs(0)))
    expect(asked.sort()).toEqual([START_MS - HOUR_MS, START_MS])
  })

  test('a percentage of 0 is no number, and the state stays', async () => {
    const id = await add({
      condition: { subject: Subject.CHANGE_PERCENT, operator: Operator.ABOVE, threshold: 50 },
    })
    rig.answer = ({ timeRange }) =>
      trendsOf(timestampMs(timeRange?.from ?? timestampFromMs(0)) < START_MS ? 0 : 8)
    rig.nowMs += HOUR_MS
    await rig.check(projectId, { toMs: rig.nowMs })
    expect(await outcomesOf(id)).toEqual([Outcome.NO_NUMBER])
    rig.answer = ({ timeRange }) =>
      trendsOf(timestampMs(timeRange?.from ?? timestampFromMs(0)) === START_MS ? 8 : 16)
    rig.nowMs += HOUR_MS
    await rig.check(projectId, { toMs: rig.nowMs })
    const [check] = (await ours.listChecks({ alertId: id })).checks
    expect(check).toMatchObject({ outcome: Outcome.FIRING, value: 16, baseline: 8, observed: 100 })
  })

  test('quiet hours delay a notification to their end', async () => {
    const quietHours = { startMinute: 9 * 60, endMinute: 17 * 60, timeZone: 'Europe/Berlin' }
    const id = await add({ quietHours })
    await checkHours(11)
    const endMs = Date.parse('2026-06-01T15:00:00Z')
    expect(await rig.deliveriesOf(channelId)).toMatchObject([{ state: 'pending', nextMs: endMs }])
    const job = await under.catalog
      .selectFrom('jobs')
      .select('next_ms')
      .where('kind', '=', 'deliver-notification')
      .executeTakeFirst()
    expect(Number(job?.next_ms)).toBe(endMs)
    const [check] = (await ours.listChecks({ alertId: id })).checks
    expect(check?.notifyTime && timestampMs(check.notifyTime)).toBe(endMs)
  })

  test('while an alert is snoozed its channels are told nothing, and afterwards the state that differs', async () => {
    const id = await add()
    await ours.snooze({ id, until: timestampFromMs(START_MS + 3.5 * HOUR_MS) })
    await checkHours(11, 11, 11)
    expect(await typesOf()).toEqual([])
    await checkHours(11, 11)
    expect(await typesOf()).toEqual(['alert.firing'])
  })

  test('an alert that fires and ends while it is snoozed tells nothing', async () => {
    const id = await add()
    await ours.snooze({ id, until: timestampFromMs(START_MS + 2.5 * HOUR_MS) })
    await checkHours(11, 3, 3, 3)
    expect(await typesOf()).toEqual([])
    await ours.snooze({ id })
    expect((await read(id)).snoozeUntil).toBeUndefined()
  })

  test('a question that fails is told to the author, not to the channel', async () => {
    await signInAsAuthor()
    const id = await add()
    failWith('not_found')
    for (let hour = 1; hour <= 2; hour++) {
      rig.nowMs += HOUR_MS
      await rig.check(projectId, { toMs: rig.nowMs })
    }
    expect(await typesOf()).toEqual([])
    expect(rig.mails).toMatchObject([
      { to: 'author@example.org', subject: 'The alert Sign-ups could not be checked' },
    ])
    expect(rig.mails[0]?.text).toContain('There is no cohort with this id.')
    expect(rig.mails[0]?.text).toContain(`https://millrace.example.com/p/${projectId}/alerts/${id}`)
    expect((await read(id)).failures).toBe(2)
    await checkHours(3)
    expect((await read(id)).failures).toBe(0)
  })

  test('five failed checks in a row pause an alert, and resuming it forgets them', async () => {
    await addMember(under.catalog, {
      organisationId: asOrganisationId('org-Ours'),
      email: 'admin@example.org',
      role: 'admin',
    })
    const id = await add()
    failWith('not_found')
    for (let hour = 1; hour <= 6; hour++) {
      rig.nowMs += HOUR_MS
      await rig.check(projectId, { toMs: rig.nowMs })
    }
    expect(await read(id)).toMatchObject({
      content: { paused: true },
      pauseReason: PauseReason.FAILING,
      pauseMessage: 'The last 5 checks failed. There is no cohort with this id.',
      failures: 5,
    })
    expect(rig.mails.map(({ subject }) => subject)).toEqual([
      'The alert Sign-ups could not be checked',
      'The alert Sign-ups is paused',
    ])
    expect(await replace(id, {})).toMatchObject({
      content: { paused: false },
      pauseReason: PauseReason.UNSPECIFIED,
      failures: 0,
    })
  })

  test('a saved insight that loses the series of an alert fails its check, and the author gets the reason', async () => {
    const account = await signInAsAuthor()
    const save = (...kinds: readonly string[]) => ({
      content: create(InsightContentSchema, {
        name: 'Sign-ups and visits',
        spec: { insightType: InsightType.TRENDS, events: kinds.map((kind) => ({ event: { kind } })) },
      }),
      account,
      nowMs: rig.nowMs,
    })
    const insight = await createInsight(under.catalog, projectId, save('signup', 'visit'))
    const change = async (...kinds: readonly string[]) =>
      await replaceInsight(under.catalog, { projectId, id: insight.id }, save(...kinds))
    const id = await add({
      question: { case: 'savedInsightId', value: insight.id },
      point: { kind: { case: 'series', value: { series: 1 } } },
    })
    await change('signup')
    await checkHours(3)
    const [check] = (await ours.listChecks({ alertId: id })).checks
    const reason = 'The alert names a series that the insight does not have.'
    expect(check).toMatchObject({ outcome: Outcome.FAILED, error: reason })
    expect(rig.mails).toMatchObject([{ to: 'author@example.org' }])
    expect(rig.mails[0]?.text).toContain(
      `The alert Sign-ups of the project Ours could not be checked. ${reason} It is checked again at its next time`,
    )
    expect(rig.asked).toEqual([])
    await change('signup', 'visit')
    await checkHours(3)
    expect(await outcomesOf(id)).toEqual([Outcome.FAILED, Outcome.OK])
    expect((await read(id)).failures).toBe(0)
  })

  test('a store that cannot be reached fails the job, which goes on with the alerts that are left', async () => {
    const [first, second] = [
      await add(),
      await add({ name: 'Second', question: { case: 'spec', value: trendOf('visit') } }),
    ]
    rig.nowMs += HOUR_MS
    const toMs = rig.nowMs
    let answeredCount = 0
    rig.answer = async () => {
      if (answeredCount++ > 0)
        throw new ServiceError({ code: 'unavailable', reason: 'STORE_UNAVAILABLE', message: 'x' })
      return trendsOf(11)
    }
    await expect(rig.check(projectId, { toMs })).rejects.toThrow()
    expect(await typesOf()).toEqual(['alert.firing'])
    rig.answer = () => trendsOf(11)
    await rig.check(projectId, { toMs })
    expect(await typesOf()).toEqual(['alert.firing', 'alert.firing'])
    expect([...(await outcomesOf(first)), ...(await outcomesOf(second))]).toEqual([2, 2])
  })

  test('an alert that is changed while it is checked is checked again with its new content', async () => {
    const id = await add()
    rig.nowMs += HOUR_MS
    let isChanged = false
    rig.answer = async ({ spec }) => {
      if (!isChanged) {
        isChanged = true
        await replace(id, { question: { case: 'spec', value: trendOf('visit') } })
      }
      return trendsOf(spec?.events[0]?.event?.kind === 'visit' ? 3 : 11)
    }
    await rig.check(projectId, { toMs: rig.nowMs })
    expect(await outcomesOf(id)).toEqual([Outcome.OK])
    expect(await typesOf()).toEqual([])
  })

  test('alerts of other cadences, other projects and paused ones are left alone', async () => {
    const ids = [await add({ cadence: AlertCadence.DAILY }), await add({ paused: true })]
    const other = await rig.addProject('Theirs')
    const theirs = alertOf(await rig.connect(other).create({ content: signUps() })).id
    await checkHours(11)
    expect(rig.asked).toEqual([])
    for (const id of ids) expect(await outcomesOf(id)).toEqual([])
    expect((await rig.connect(other).listChecks({ alertId: theirs })).checks).toEqual([])
  })

  test('the last 500 checks of an alert are kept', async () => {
    const id = await add()
    const rows = Array.from({ length: 500 }, (_, index) => ({
      alert_id: id,
      from_ms: index * HOUR_MS,
      to_ms: (index + 1) * HOUR_MS,
      outcome: 'ok' as const,
      ...{ value: 0, baseline: 0, observed: 0, error: '', checked_ms: 1, notification_id: '', notify_ms: 0 },
    }))
    await under.catalog.insertInto('alert_checks').values(rows.slice(0, 250)).execute()
    await under.catalog.insertInto('alert_checks').values(rows.slice(250)).execute()
    await checkHours(11)
    const kept = await under.catalog.selectFrom('alert_checks').select('to_ms').orderBy('to_ms').execute()
    expect([kept.length, Number(kept[0]?.to_ms)]).toEqual([500, 2 * HOUR_MS])
  })
})

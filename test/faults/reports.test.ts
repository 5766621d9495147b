import { create } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  Frequency,
  ReportInputSchema,
} from '../../src/contract/gen/millrace/reports/v1/reports_service_pb.js'
import { asOrganisationId } from '../../src/contract/ids.ts'
import { createReport } from '../../src/control/reports/report-store.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { insertProject } from '../../src/store/catalog/projects.ts'
import { addMember } from '../harness/console-callers.ts'
import { describeCatalog } from '../harness/describe-catalog.ts'
import { type HttpDouble, startHttpDouble } from '../harness/http-double.ts'
import { clockOf, FAULT_SEED, RACE_MS_MAX, type Race, RacingJobs, SEALER } from './racing-jobs.ts'
import { REPORTING_PROCESS, type ReceivedMail } from './reporting-process.ts'

const SHOWN = `FAULT_SEED=${FAULT_SEED}`
const START_MS = Date.parse('2026-06-01T10:30:00Z')

/** A second of the machine is a day. */
const SPEED = 86_400

const REPORT_COUNT = 8
const RECIPIENTS = ['a@example.org', 'b@example.org', 'c@example.org']

describeCatalog('reports', (under) => {
  let receiver: HttpDouble
  let jobs: RacingJobs

  beforeEach(async () => {
    jobs = new RacingJobs(REPORTING_PROCESS)
    receiver = await startHttpDouble(() => ({ status: 200 }))
  })

  afterEach(async () => {
    await jobs.destroy()
    await receiver.stop()
  })

  async function addReports(race: Race): Promise<void> {
    const { catalog } = under
    const organisationId = asOrganisationId('11111111-2222-3333-4444-555555555555')
    await catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: 'O', created_ms: 1 })
      .execute()
    const clock = clockOf(race)
    const projectId = await insertProject(catalog, clock, { organisationId, displayName: 'Shop' })
    // Addresses of members need no confirmation.
    for (const email of RECIPIENTS) await addMember(catalog, { organisationId, email, role: 'member' })
    const store = {
      ...{ catalog, clock, sealer: SEALER },
      askToConfirm: async () => await Promise.reject(new Error('every recipient is a member')),
      requireDashboard: async () => undefined,
    }
    for (let index = 0; index < REPORT_COUNT; index++) {
      const input = create(ReportInputSchema, {
        name: `Report ${index}`,
        content: { case: 'webOverview', value: {} },
        schedule: { frequency: Frequency.DAILY, hour: index, timezone: 'UTC' },
        addresses: RECIPIENTS,
      })
      await createReport(store, { projectId, createdBy: '', input })
    }
  }

  test(
    'processes that are killed and race mail each period once to each recipient',
    async () => {
      const { catalog, place } = under
      const times = { machineMs: Date.now(), startMs: START_MS, speed: SPEED }
      const race = { place, receiverUrl: receiver.url, ...times }
      await addReports(race)
      await jobs.run(race, { catalog, prng: new Prng(FAULT_SEED) })
      const issues = await catalog.selectFrom('report_issues').selectAll().execute()
      expect(issues.length, SHOWN).toBeGreaterThan(REPORT_COUNT)
      const expected = issues.flatMap(({ report_id, to_ms }) =>
        RECIPIENTS.map((to) => `${report_id} ${to_ms} ${to}`),
      )
      const received = Map.groupBy(
        receiver.requests.map(({ body }): ReceivedMail => JSON.parse(String(body))),
        ({ subject, to }) => `${subject} ${to}`,
      )
      expect([...received.keys()].sort(), SHOWN).toEqual(expected.sort())
      // A mail whose process died before it could record the answer comes again, as the same mail.
      for (const mails of received.values())
        expect(new Set(mails.map(({ id, text }) => `${id} ${text}`)).size, SHOWN).toBe(1)
      const deliveries = await catalog.selectFrom('report_deliveries').select('state').execute()
      expect(new Set(deliveries.map(({ state }) => state)), SHOWN).toEqual(new Set(['delivered']))
    },
    RACE_MS_MAX,
  )
})

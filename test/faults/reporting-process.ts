import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createDeliverReport } from '../../src/control/reports/deliver-report.ts'
import { Issues } from '../../src/control/reports/issues.ts'
import { COMPOSE_REPORT, DELIVER_REPORT } from '../../src/control/reports/report.ts'
import { FOOTER } from '../../src/control/reports/report-mail.ts'
import { type ComposeReport, createSendReports } from '../../src/control/reports/send-reports.ts'
import { SubscriptionLinks } from '../../src/control/reports/subscription-links.ts'
import { sleep } from '../../src/kernel/clock.ts'
import { type RacingParts, runJobs, SEALER } from './racing-jobs.ts'

/** The entry of processes that compose reports and deliver their mails. */
export const REPORTING_PROCESS = fileURLToPath(import.meta.url)

/** A mail as the receiver gets it. */
export interface ReceivedMail {
  readonly id: string
  readonly to: string
  /** The report and the end of its period. */
  readonly subject: string
  readonly text: string
}

function createHandlers({ race, catalog, clock, log }: RacingParts) {
  const issues = new Issues({ catalog, sealer: SEALER })
  const sendReports = createSendReports({
    ...{ catalog, clock, log, issues, compose, sealer: SEALER },
    hasDashboard: async () => await Promise.reject(new Error('no report shows a dashboard')),
    tellAuthor: async () => await Promise.reject(new Error('no report is paused')),
    wakeJobs: () => undefined,
  })
  const deliver = createDeliverReport({
    ...{ catalog, clock, issues, sealer: SEALER },
    links: new SubscriptionLinks({ sealer: SEALER, publicUrl: 'https://millrace.example.com' }),
    chooseSender: async () => ({
      from: { name: '', address: 'm@example.com' },
      replyTo: '',
      transport: async ({ id, to, subject, text }) => {
        const mail: ReceivedMail = { id, to, subject, text }
        await fetch(race.receiverUrl, { method: 'POST', body: JSON.stringify(mail) })
      },
    }),
  })
  return { recurring: { [COMPOSE_REPORT]: sendReports }, handlers: { [DELIVER_REPORT]: deliver } }
}

/** Takes some time, so that processes die while they wait. No two mails have the same text. */
const compose: ComposeReport = async ({ report, period }) => {
  await sleep(Math.random() * 50)
  const mail = { subject: `${report.id} ${period.toMs}`, html: FOOTER, text: randomUUID(), pictures: [] }
  return { mail, isIncomplete: false }
}

if (process.argv[1] === REPORTING_PROCESS) runJobs(process.argv.slice(2), createHandlers)

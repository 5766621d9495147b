import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, type ReceivedMail, startMailServer } from './harness/mail-server.ts'
import { PRIVATE_KEY, TestService } from './harness/service.ts'
import { SkewedClock } from './harness/skewed-clock.ts'
import { isAlive, waitFor } from './harness/wait.ts'

const REPORTS = 'millrace.reports.v1.ReportsService'
const ADMIN = { email: 'admin@example.org', password: 'a long enough password' }
const KEY = { 'x-api-key': PRIVATE_KEY }
const DAY_MS = 24 * 3_600_000
/** A query process starts again, and the claim of the dead one expires. */
const RECOVERY_MS = 90_000

const clock = new SkewedClock()
let mail: MailServer
let service: TestService
let onMail: (of: ReceivedMail) => void = () => undefined

beforeAll(async () => {
  mail = await startMailServer({ onMail: (of) => onMail(of) })
  service = await TestService.start({
    ...clock.environment,
    SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
    SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
    SERVICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SERVICE_MAIL_FROM: 'noreply@example.com',
  })
})

afterAll(async () => {
  await service?.destroy()
  await mail?.stop()
  clock.remove()
})

async function call(method: string, body: object): Promise<{ status: number; body: unknown }> {
  return await service.call(`${REPORTS}/${method}`, body, KEY)
}

const reportsTo = (address: string) =>
  mail.mails.filter(({ to, source }) => to.includes(address) && source.includes('List-Unsubscribe-Post'))

function headerOf({ source }: ReceivedMail, name: string): string {
  const unfolded = source.replaceAll(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? ''
}

test('a mail that the server took from a process that died then is sent again with the same Message-ID, once', async () => {
  const created = await call('Create', {
    report: {
      name: 'Web',
      webOverview: {},
      schedule: { frequency: 'FREQUENCY_DAILY', hour: 0 },
      addresses: [ADMIN.email],
    },
  })
  expect(created).toMatchObject({
    status: 200,
    body: { report: { recipients: [{ state: 'RECIPIENT_STATE_ACTIVE' }] } },
  })
  const pid = service.pid('query')
  onMail = () => {
    onMail = () => undefined
    process.kill(pid, 'SIGKILL')
  }
  clock.set(DAY_MS)
  const found = await waitFor(
    'the second mail',
    () => (reportsTo(ADMIN.email).length === 2 ? reportsTo(ADMIN.email) : undefined),
    RECOVERY_MS,
  )
  expect(isAlive(pid)).toBe(false)
  expect(new Set(found.map((one) => headerOf(one, 'Message-ID'))).size).toBe(1)
  const { report } = created.body as { readonly report: { readonly id: string } }
  await waitFor('the record of the delivery', async () => {
    const { body } = await call('ListDeliveries', { reportId: report.id })
    const { deliveries } = body as { readonly deliveries?: readonly { readonly state: string }[] }
    return deliveries?.length === 1 && deliveries[0]?.state === 'REPORT_DELIVERY_STATE_DELIVERED'
      ? true
      : undefined
  })
})

test('one click on the link of a mail ends the mails, without signing in', async () => {
  const [newest] = reportsTo(ADMIN.email).slice(-1)
  const url = newest && headerOf(newest, 'List-Unsubscribe').slice(1, -1)
  expect(url).toContain('/report-subscription?unsubscribe=')
  const { pathname, search } = new URL(url ?? '')
  const page = await fetch(`${service.url}${pathname}${search}`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<form method="post">')
  const list = async () => {
    const { body } = await call('List', {})
    const { reports } = body as {
      readonly reports: readonly { readonly recipients: readonly { readonly state: string }[] }[]
    }
    return reports.flatMap(({ recipients }) => recipients.map(({ state }) => state))
  }
  expect(await list()).toEqual(['RECIPIENT_STATE_ACTIVE'])
  const clicked = await fetch(`${service.url}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `List-Unsubscribe=One-Click&more=${'x'.repeat(300_000)}`,
  })
  expect(clicked.status).toBe(200)
  expect(await list()).toEqual(['RECIPIENT_STATE_UNSUBSCRIBED'])
})

import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { recordingLog } from '../../../test/harness/recording-log.ts'
import { asOrganisationId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { SubscriptionLinks } from './subscription-links.ts'
import { createSubscriptionPage } from './subscription-page.ts'

const ORGANISATION = asOrganisationId('11111111-2222-3333-4444-555555555555')
const REPORT = '44444444-2222-3333-4444-555555555555'
const RECIPIENT = '55555555-2222-3333-4444-555555555555'
const ASKED_MS = Date.parse('2026-06-16T10:00:00Z')
const DAY_MS = 24 * 3_600_000

describeCatalog('the page of links in reports', (under) => {
  let nowMs: number
  const links = new SubscriptionLinks({
    sealer: new Sealer(Buffer.alloc(32, 1)),
    publicUrl: 'https://millrace.example.com/',
  })
  const recipient = { id: RECIPIENT, askedMs: ASKED_MS }

  beforeEach(async () => {
    nowMs = ASKED_MS + DAY_MS
    const { catalog } = under
    const clock = { nowMs: () => nowMs }
    await catalog
      .insertInto('organisations')
      .values({ id: ORGANISATION, display_name: 'O', created_ms: 1 })
      .execute()
    const projectId = await insertProject(catalog, clock, {
      organisationId: ORGANISATION,
      displayName: 'Shop',
    })
    const of = { project_id: projectId, created_ms: 1 }
    await catalog
      .insertInto('reports')
      .values({
        ...of,
        id: REPORT,
        dashboard_id: '',
        spec: JSON.stringify({ name: '<b>Weekly</b>' }),
        enabled: 1,
        paused_reason: '',
        created_by: '',
        updated_ms: 1,
      })
      .execute()
    await catalog
      .insertInto('report_recipients')
      .values({
        id: RECIPIENT,
        report_id: REPORT,
        project_id: projectId,
        digest: 'd',
        sealed_address: 's',
        position: 0,
        listed: 1,
        asked_ms: ASKED_MS,
        confirmed_ms: 0,
        unsubscribed_ms: 0,
      })
      .execute()
  })

  const open = async (url: string, method = 'GET', body = ''): Promise<{ status: number; html: string }> => {
    const page = createSubscriptionPage({
      catalog: under.catalog,
      clock: { nowMs: () => nowMs },
      links,
      log: recordingLog([]),
    })
    const answer = await page({
      httpVersion: '1.1',
      method,
      url,
      header: new Headers(),
      body: (async function* () {
        yield Buffer.from(body)
      })(),
      signal: new AbortController().signal,
    })
    let html = ''
    for await (const chunk of answer.body ?? []) html += Buffer.from(chunk).toString()
    return { status: answer.status, html }
  }

  const read = async () =>
    await under.catalog
      .selectFrom('report_recipients')
      .select(['confirmed_ms', 'unsubscribed_ms'])
      .executeTakeFirstOrThrow()
      .then((row) => [Number(row.confirmed_ms), Number(row.unsubscribed_ms)])

  test('opening a link changes nothing, and shows a button', async () => {
    for (const action of ['confirm', 'unsubscribe'] as const) {
      const { status, html } = await open(links.urlOf(action, recipient))
      expect(status).toBe(200)
      expect(html).toContain('<form method="post">')
      expect(html).toContain('&lt;b&gt;Weekly&lt;/b&gt;')
    }
    expect(await read()).toEqual([0, 0])
  })

  test('the button confirms, and one click of a mail program unsubscribes', async () => {
    expect((await open(links.urlOf('confirm', recipient), 'POST')).status).toBe(200)
    expect(await read()).toEqual([nowMs, 0])
    const url = links.urlOf('unsubscribe', { id: RECIPIENT, askedMs: 0 })
    expect((await open(url, 'POST', 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect(await read()).toEqual([0, nowMs])
  })

  test.each([
    ['of another action', () => links.urlOf('unsubscribe', recipient).replace('unsubscribe=', 'confirm=')],
    ['of another recipient', () => links.urlOf('confirm', { ...recipient, id: REPORT })],
    ['of an earlier mail', () => links.urlOf('confirm', { ...recipient, askedMs: ASKED_MS - 1 })],
    ['with a changed digest', () => `${links.urlOf('confirm', recipient).slice(0, -4)}0000`],
    ['without a token', () => 'https://millrace.example.com/report-subscription'],
    ['with a strange token', () => 'https://millrace.example.com/report-subscription?unsubscribe=%00'],
  ])('a link %s does nothing', async (_, url) => {
    expect((await open(url(), 'POST')).status).toBe(404)
    expect(await read()).toEqual([0, 0])
  })

  test('a link that asks to confirm expires after seven days; one that unsubscribes does not', async () => {
    nowMs = ASKED_MS + 7 * DAY_MS
    expect((await open(links.urlOf('confirm', recipient), 'POST')).status).toBe(404)
    expect((await open(links.urlOf('unsubscribe', recipient), 'POST')).status).toBe(200)
  })

  test('other methods are rejected', async () => {
    expect((await open(links.urlOf('confirm', recipient), 'DELETE')).status).toBe(405)
  })
})

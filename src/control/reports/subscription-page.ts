import { createHash } from 'node:crypto'
import type {
  UniversalHandlerFn,
  UniversalServerRequest,
  UniversalServerResponse,
} from '@connectrpc/connect/protocol'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { escapeHtml, toOneLine } from '../mail/mail-text.ts'
import { confirmRecipient, unsubscribeRecipient } from './recipients.ts'
import { decodeSpec } from './report.ts'
import type { SubscriptionAction, SubscriptionLinks } from './subscription-links.ts'

/** Dependencies of the page. */
export interface SubscriptionPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly links: SubscriptionLinks
  readonly log: Logger
}

/** A link that asks to confirm is valid for this long. */
const CONFIRM_MS = 7 * 24 * 3_600_000

/**
 * The page on which the owner of an address confirms or unsubscribes without signing in. Programs that check links open them
 * too, so GET shows a form; POST acts, also when a mail program sends it by itself (RFC 8058). The URL
 * has everything, so that no body is read.
 */
export function createSubscriptionPage(ports: SubscriptionPorts): UniversalHandlerFn {
  return async (request) => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method))
      return { status: 405, header: new Headers({ allow: 'GET, HEAD, POST' }) }
    try {
      const page = await answer(ports, request)
      return toResponse(request, page)
    } catch (error) {
      ports.log.error({ err: error }, 'a subscription to a report could not be changed')
      return toResponse(request, FAILED)
    }
  }
}

interface Page {
  readonly status: number
  readonly title: string
  readonly text: string
  /** The label of the button that acts; absent without one. */
  readonly button?: string
}

async function answer(ports: SubscriptionPorts, request: UniversalServerRequest): Promise<Page> {
  const { catalog, clock } = ports
  const asked = parseQuery(request.url)
  const found = asked && (await findSubscription(ports, asked))
  if (!asked || !found) return NOT_VALID
  const { action } = asked
  if (request.method !== 'POST') return askFor(action, found.reportName)
  const nowMs = clock.nowMs()
  if (action === 'confirm') await confirmRecipient(catalog, found.id, nowMs)
  else await unsubscribeRecipient(catalog, found.id, nowMs)
  return doneWith(action, found.reportName)
}

interface Asked {
  readonly action: SubscriptionAction
  readonly token: string
}

function parseQuery(url: string): Asked | undefined {
  const { searchParams } = new URL(url)
  for (const action of ['confirm', 'unsubscribe'] as const) {
    const token = searchParams.get(action)
    if (token !== null) return { action, token }
  }
  return undefined
}

async function findSubscription(
  { catalog, clock, links }: SubscriptionPorts,
  { action, token }: Asked,
): Promise<{ readonly id: string; readonly reportName: string } | undefined> {
  const parsed = links.parse(token)
  if (!parsed) return undefined
  const row = await catalog
    .selectFrom('report_recipients')
    .innerJoin('reports', 'reports.id', 'report_recipients.report_id')
    .select(['report_recipients.asked_ms', 'report_recipients.listed', 'reports.spec'])
    .where('report_recipients.id', '=', parsed.id)
    .executeTakeFirst()
  if (!row) return undefined
  const askedMs = Number(row.asked_ms)
  if (!links.accepts(action, { id: parsed.id, askedMs }, parsed.digest)) return undefined
  const isLate = clock.nowMs() >= askedMs + CONFIRM_MS || row.listed === 0
  if (action === 'confirm' && isLate) return undefined
  return { id: parsed.id, reportName: toOneLine(decodeSpec(row.spec).name) }
}

const NOT_VALID: Page = {
  status: 404,
  title: 'This link is not valid',
  text: 'The link has expired, or the report does not exist any more.',
}

const FAILED: Page = {
  status: 503,
  title: 'This did not work',
  text: 'Nothing has changed. Try again in a few minutes.',
}

function askFor(action: SubscriptionAction, name: string): Page {
  return action === 'confirm'
    ? { status: 200, title: 'Get this report?', text: `“${name}” will be sent to you.`, button: 'Confirm' }
    : {
        status: 200,
        title: 'Unsubscribe?',
        text: `You will not get “${name}” any more.`,
        button: 'Unsubscribe',
      }
}

function doneWith(action: SubscriptionAction, name: string): Page {
  return action === 'confirm'
    ? { status: 200, title: 'You will get this report', text: `“${name}” comes with the next period.` }
    : { status: 200, title: 'You are unsubscribed', text: `You will not get “${name}” any more.` }
}

const STYLE = `:root{color-scheme:light dark}body{margin:15vh auto;max-width:26rem;padding:0 1.5rem;font:16px/1.5 system-ui,sans-serif}h1{font-size:1.4rem}button{border:0;border-radius:6px;padding:.6rem 1.2rem;font:inherit;font-weight:600;background:#0f766e;color:#fff}`

/** Only the style of the page itself, and a form to itself. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

function toResponse(
  { method }: UniversalServerRequest,
  { status, title, text, button }: Page,
): UniversalServerResponse {
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style>`
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><h1>${title}</h1><p>${escapeHtml(text)}</p>${form}</body></html>\n`
  const header = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  return method === 'HEAD' ? { status, header } : { status, header, body: streamBytes(Buffer.from(html)) }
}

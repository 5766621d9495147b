import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { ForeignHead } from '../foreign/dialect.ts'

const SETTINGS_PATH = /^\/v1\/projects\/([\w-]{1,200})\/settings$/

/** A name or an address, and a port. */
const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-f:.]{2,45}\](?::\d{1,5})?$/i

/** Seconds for which a browser keeps the settings. */
const SETTINGS_MAX_AGE_SECONDS = 300

const SETTINGS_CACHED = ['cache-control', `private, max-age=${SETTINGS_MAX_AGE_SECONDS}`] as const

/** The answer to a request for settings or scripts; `undefined` for every other path. */
export function answerFixed(head: ForeignHead): Answer | undefined {
  const { path, method } = head
  const [, key] = SETTINGS_PATH.exec(path) ?? []
  if (key !== undefined) return answerSettings(key, head)
  if (path === '/sourceConfig') return answerSource(head)
  // Counts of the library about itself, which the settings turn off.
  if (path === '/v1/m' && method === 'POST') return jsonAnswer(200, { success: true })
  if (path.endsWith('.js') || path.endsWith('.js.gz')) return absentScript()
  return undefined
}

/** Everything but the destination that sends to this service is off. */
function answerSettings(key: string, head: ForeignHead): Answer {
  const host = hostOf(head)
  if (!HOST.test(host)) return { status: 400, headers: [], body: '' }
  const settings = {
    integrations: {
      'Segment.io': { apiKey: key, apiHost: `${host}/segment/v1`, protocol: schemeOf(head) },
    },
    metrics: { sampleRate: 0 },
    plan: {},
    remotePlugins: [],
  }
  const answer = jsonAnswer(200, settings)
  return { ...answer, headers: [...answer.headers, SETTINGS_CACHED] }
}

/** What RudderStack's browser SDK asks its control plane for: a source without destinations, and without reports about the SDK. */
function answerSource({ query }: ForeignHead): Answer {
  const writeKey = query.get('writeKey') ?? ''
  const off = { enabled: false }
  const config = { statsCollection: { errors: off, metrics: off } }
  const source = { id: 'millrace', name: 'Millrace', writeKey, enabled: true, config, destinations: [] }
  const answer = jsonAnswer(200, { source })
  return { ...answer, headers: [...answer.headers, SETTINGS_CACHED] }
}

/** The host by which the client knows the service; a proxy before it may name it in a header of its own. */
function hostOf({ header }: ForeignHead): string {
  const forwarded = (header('x-forwarded-host') ?? '').split(',')[0]?.trim() ?? ''
  return HOST.test(forwarded) ? forwarded : (header('host') ?? header(':authority') ?? '')
}

/**
 * The scheme that the client used: the library falls back to https. A page that was loaded over https may only call https, so
 * its origin tells the scheme where a proxy does not.
 */
function schemeOf({ header, hasTls }: ForeignHead): 'http' | 'https' {
  const forwarded = (header('x-forwarded-proto') ?? '').split(',')[0]?.trim().toLowerCase()
  if (forwarded === 'http' || forwarded === 'https') return forwarded
  return hasTls || header('origin')?.startsWith('https://') === true ? 'https' : 'http'
}

/** A plain text, so that a person who opens the address reads what to do. */
function absentScript(): Answer {
  return {
    status: 404,
    headers: [['content-type', 'text/plain; charset=utf-8']],
    body: 'Millrace does not serve the scripts of Segment. Bundle the package @segment/analytics-next with your site, or load it from a CDN, and keep cdnURL as it is.\n',
  }
}

import { randomUUID } from 'node:crypto'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { ForeignHead } from '../foreign/dialect.ts'

/** What the SDK asks before it starts: everything but events is off. Autocapture waits for `autocapture_opt_out`. */
const CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: false,
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  capturePerformance: false,
  autocaptureExceptions: false,
  isAuthenticated: false,
  toolbarParams: {},
  siteApps: [],
  autocapture_opt_out: false,
  elementsChainAsString: true,
  analytics: { endpoint: '/e/' },
}

/** Flags as SDKs before version 2 of the endpoint read them. */
const FLAGS_OF_V1 = { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false }

/** Lists that the SDKs ask for, and that are empty here. */
const EMPTY_LISTS: Readonly<Record<string, object>> = {
  '/api/surveys': { surveys: [] },
  '/api/web_experiments': { experiments: [] },
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/product_tours': { product_tours: [] },
  '/api/feature_flag/local_evaluation': { flags: [], group_type_mapping: {}, cohorts: {} },
}

/** Seconds for which a browser keeps the configuration. */
const CONFIG_MAX_AGE_SECONDS = 300

/** Seconds for which a browser keeps the script of surveys: a day. */
const SCRIPT_MAX_AGE_SECONDS = 86_400

/** The script of surveys, which the SDK loads on every page although surveys are off. */
const SURVEYS_PATH = /^\/static\/(?:[\w.-]{1,50}\/)?surveys\.js$/

const CONFIG_PATH = /^\/array\/([\w-]{1,200})\/config(\.js)?$/

/** The answer to a request for configuration, flags or lists; `undefined` for every other path. */
export function answerFixed(head: ForeignHead): Answer | undefined {
  const { path } = head
  if (path === '/flags' || path === '/decide') return answerFlags(head)
  const list = Object.hasOwn(EMPTY_LISTS, path) ? EMPTY_LISTS[path] : undefined
  if (list !== undefined) return jsonAnswer(200, list)
  const [, token, isScript] = CONFIG_PATH.exec(path) ?? []
  if (token !== undefined) return answerConfig(token, isScript !== undefined)
  if (SURVEYS_PATH.test(path)) return emptyScript()
  if (path.startsWith('/static/')) return absentScript()
  return undefined
}

function answerFlags({ path, query, nowMs }: ForeignHead): Answer {
  const isV2 = path === '/flags' && query.get('v') === '2'
  if (!isV2) return jsonAnswer(200, { ...FLAGS_OF_V1, ...CONFIG })
  const flags = {
    flags: {},
    errorsWhileComputingFlags: false,
    requestId: randomUUID(),
    evaluatedAt: nowMs,
  }
  return jsonAnswer(200, query.get('config') === 'true' ? { ...flags, ...CONFIG } : flags)
}

function answerConfig(token: string, isScript: boolean): Answer {
  const cached = ['cache-control', `public, max-age=${CONFIG_MAX_AGE_SECONDS}`] as const
  if (!isScript) {
    const answer = jsonAnswer(200, { token, ...CONFIG })
    return { ...answer, headers: [...answer.headers, cached] }
  }
  const value = `{config:${JSON.stringify({ token, ...CONFIG })},siteApps:[]}`
  return {
    status: 200,
    headers: [['content-type', 'text/javascript; charset=utf-8'], cached],
    body: `(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${JSON.stringify(token)}]=${value};`,
  }
}

/** Without an answer, the browser would report an error on every page. */
function emptyScript(): Answer {
  return {
    status: 200,
    headers: [
      ['content-type', 'text/javascript; charset=utf-8'],
      ['cache-control', `public, max-age=${SCRIPT_MAX_AGE_SECONDS}`],
    ],
    body: '/* Millrace has no surveys. */\n',
  }
}

/** A plain text, so that a person who opens the address reads what to do. */
function absentScript(): Answer {
  return {
    status: 404,
    headers: [['content-type', 'text/plain; charset=utf-8']],
    body: 'Millrace does not serve the script of posthog-js. Bundle the package posthog-js with your site, or load it from its CDN, and keep api_host as it is.\n',
  }
}

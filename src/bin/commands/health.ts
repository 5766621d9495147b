import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import type { Settings } from '../../settings/settings.ts'
import { FatalError } from '../environment/fatal-error.ts'

/** A slower response counts as a failure. */
const TIMEOUT_MS = 2500

const READY_PATH = '/readyz'

/** The service's own answer is shorter. */
const ANSWER_CHARACTERS_MAX = 4096

/** `millrace health`: checks the readiness of the service with these settings on this machine. Throws `FatalError`. */
export async function runHealth(settings: Settings): Promise<void> {
  const { serverHost, serverPort, tlsCert } = settings
  const isTls = tlsCert !== undefined
  const { status, text } = await fetchAnswer({
    get: isTls ? getHttps : getHttp,
    host: toReachable(serverHost),
    port: serverPort,
    path: READY_PATH,
  })
  if (status !== 200)
    throw new FatalError(`${READY_PATH} returned ${status}${describeMissing(text)}; see millrace doctor`)
}

interface ProbeAnswer {
  readonly status: number | undefined
  readonly text: string
}

async function fetchAnswer({
  get,
  ...where
}: {
  readonly get: typeof getHttps
  readonly host: string
  readonly port: number
  readonly path: string
}): Promise<ProbeAnswer> {
  return await new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        new FatalError(`the service does not respond: ${describe(error)}; see millrace doctor`, {
          cause: error,
        }),
      )
    // The certificate names the public host; this is our own port.
    const options = { ...where, rejectUnauthorized: false, signal: AbortSignal.timeout(TIMEOUT_MS) }
    get(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        if (text.length < ANSWER_CHARACTERS_MAX) text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
      response.on('error', fail)
    }).on('error', fail)
  })
}

function describe(error: Error): string {
  return error.name === 'AbortError' ? `no answer within ${TIMEOUT_MS / 1000} seconds` : error.message
}

/** What the service lacks, as its answer names it; empty for an answer of another program. */
function describeMissing(text: string): string {
  try {
    const { missing } = JSON.parse(text) as { readonly missing?: unknown }
    return Array.isArray(missing) ? `, because of: ${missing.join(', ')}` : ''
  } catch {
    return ''
  }
}

function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import type { Settings } from '../settings/settings.ts'
import { FatalError } from './fatal-error.ts'

/** A slower response counts as a failure. */
const TIMEOUT_MS = 2500

const READY_PATH = '/readyz'

/** `millrace health`: checks the readiness of the service with these settings on this machine. Throws `FatalError`. */
export async function checkHealth(settings: Settings): Promise<void> {
  const { serverHost, serverPort, tlsCert } = settings
  const isTls = tlsCert !== undefined
  const status = await fetchStatus({
    get: isTls ? getHttps : getHttp,
    host: toReachable(serverHost),
    port: serverPort,
    path: READY_PATH,
  })
  if (status !== 200) throw new FatalError(`${READY_PATH} returned ${status}`)
}

async function fetchStatus({
  get,
  ...where
}: {
  readonly get: typeof getHttps
  readonly host: string
  readonly port: number
  readonly path: string
}): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new FatalError(`the service does not respond: ${error.message}`, { cause: error }))
    // The certificate names the public host; this is our own port.
    const options = { ...where, rejectUnauthorized: false, signal: AbortSignal.timeout(TIMEOUT_MS) }
    get(options, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', fail)
  })
}

function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

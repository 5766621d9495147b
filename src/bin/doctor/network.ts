import { once } from 'node:events'
import { createServer } from 'node:net'
import { joinHostPort } from '../../settings/derived-settings.ts'
import { type Check, type Finding, fail, ok, type Patient, skip, warn } from './check.ts'

const ANSWER_TIMEOUT_MS = 2000

/** The service itself waits two seconds for the metrics of a role. */
const METRICS_TIMEOUT_MS = 5000
const UNTRUSTED = /^millrace_untrusted_proxy_requests_total\{[^}]*role="edge"[^}]*\} (\d+)/m

const DOWN = /^millrace_role_up\{[^}]*process="(\w+)"[^}]*\} 0/gm

interface Address {
  readonly host: string
  readonly port: number
  /** A path that only the service serves. */
  readonly path: '/healthz' | '/metrics'
  /** Common prefix of the settings of the address. */
  readonly setting: string
}

/** Whether the public address is free, or in use by the running service. */
export const checkPublicPort: Check = async (patient) => {
  const { roles, serverHost: host, serverPort: port } = patient.settings
  if (!roles.includes('edge') && !roles.includes('query')) return skip('the roles have no public port')
  return await checkAddress(patient, { host, port, path: '/healthz', setting: 'SERVICE_SERVER' })
}

/** Whether the admin address is free, or in use by the running service. */
export const checkAdminPort: Check = async (patient) => {
  const { adminHost: host, adminPort: port } = patient.settings
  return await checkAddress(patient, { host, port, path: '/metrics', setting: 'SERVICE_ADMIN' })
}

/** Whether the processes of the running service respond. */
export const checkRoles: Check = async ({ isServed, settings }) => {
  if (!isServed) return skip('the service does not run')
  const down = [...(await readMetrics(settings)).matchAll(DOWN)].map(([, role = '']) => role)
  if (down.length === 0) return ok('every process responds')
  const files = down.map((role) => `${settings.dataDir}/run/${role}.pid`).join(', ')
  return fail(
    `${down.join(' and ')} ${down.length === 1 ? 'does' : 'do'} not respond: see the log; if a process hangs, kill it (${files}), and the supervisor restarts it`,
  )
}

/** Whether requests with forwarding headers came from trusted proxies, according to the metrics of the running edge. */
export const checkProxies: Check = async ({ isServed, settings }) => {
  const { roles, trustedProxies } = settings
  if (!roles.includes('edge')) return skip('the edge is not among the roles')
  if (trustedProxies.cidrs.length === 0) return ok('no proxy is trusted: peers count as clients')
  if (!isServed) return skip('the service does not run')
  const untrustedCount = Number(UNTRUSTED.exec(await readMetrics(settings))?.[1] ?? 0)
  if (untrustedCount === 0) return ok('no untrusted peer sent X-Forwarded-For')
  return warn(
    `${untrustedCount} requests with X-Forwarded-For came from untrusted peers: add your proxy to SERVICE_TRUSTED_PROXIES, unless clients forge the header`,
  )
}

async function checkAddress({ isServed, settings }: Patient, address: Address): Promise<Finding> {
  const { host, port, setting } = address
  const shown = joinHostPort(host, port)
  const code = await tryListen(address)
  if (code === undefined) {
    return isServed ? fail(`the service runs but does not listen on ${shown}`) : ok(`${shown} is free`)
  }
  if (code !== 'EADDRINUSE')
    return fail(`cannot listen on ${shown} (${code}); set ${setting}_HOST or ${setting}_PORT`)
  const isTls = address.path === '/healthz' && settings.tlsCert !== undefined
  const answer = isServed && !isTls ? await askForAnswer(address) : undefined
  if (isServed && (isTls || answer === 'ok')) return ok(`${shown} is the running service's`)
  if (answer === 'none')
    return fail(`${shown} does not respond: the service hangs, or another program listens there`)
  return fail(`another program listens on ${shown}; stop it or set ${setting}_PORT`)
}

/** The code of the error; `undefined` when the address is free. */
async function tryListen({ host, port }: Address): Promise<string | undefined> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  } finally {
    server.close()
  }
}

/** The answer of an address: the service's, none in time, or another program's. */
async function askForAnswer(address: Address): Promise<'ok' | 'none' | 'other'> {
  try {
    return (await fetchFrom(address)).ok ? 'ok' : 'other'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'none' : 'other'
  }
}

async function readMetrics({ adminHost: host, adminPort: port }: Patient['settings']): Promise<string> {
  try {
    return await (await fetchFrom({ host, port, path: '/metrics' })).text()
  } catch (error) {
    throw new Error(`the metrics at ${joinHostPort(host, port)} cannot be read`, { cause: error })
  }
}

async function fetchFrom({ host, port, path }: Pick<Address, 'host' | 'port' | 'path'>): Promise<Response> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const timeoutMs = path === '/metrics' ? METRICS_TIMEOUT_MS : ANSWER_TIMEOUT_MS
  return await fetch(`http://${joinHostPort(reachable, port)}${path}`, {
    signal: AbortSignal.timeout(timeoutMs),
  })
}

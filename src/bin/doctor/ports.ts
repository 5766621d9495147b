import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Check, type Finding, fail, ok, type Patient, skip } from './check.ts'

const ANSWER_TIMEOUT_MS = 2000

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

async function checkAddress({ isServed, settings }: Patient, address: Address): Promise<Finding> {
  const { host, port, setting } = address
  const shown = `${host}:${port}`
  const code = await tryListen(address)
  if (code === undefined) {
    return isServed ? fail(`the service runs but does not listen on ${shown}`) : ok(`${shown} is free`)
  }
  if (code !== 'EADDRINUSE')
    return fail(`cannot listen on ${shown} (${code}); set ${setting}_HOST or ${setting}_PORT`)
  const isTls = address.path === '/healthz' && settings.tlsCert !== undefined
  const isOurs = isServed && (isTls || (await isAnswered(address)))
  if (isOurs) return ok(`${shown} is the running service's`)
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

async function isAnswered({ host, port, path }: Address): Promise<boolean> {
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    return (await fetch(`http://${reachable}:${port}${path}`, { signal })).ok
  } catch {
    return false
  }
}

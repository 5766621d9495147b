import { type Check, ok, skip, warn } from './check.ts'

const ANSWER_TIMEOUT_MS = 2000
const UNTRUSTED = /^millrace_untrusted_proxy_requests_total\{[^}]*role="edge"[^}]*\} (\d+)/m

/** Whether requests with forwarding headers came from trusted proxies, according to the metrics of the running edge. */
export const checkProxies: Check = async ({ isServed, settings }) => {
  const { roles, trustedProxies, adminHost, adminPort } = settings
  if (!roles.includes('edge')) return skip('the edge is not among the roles')
  if (trustedProxies.cidrs.length === 0) return ok('no proxy is trusted: peers count as clients')
  if (!isServed) return skip('the service does not run')
  const host = adminHost === '0.0.0.0' ? '127.0.0.1' : adminHost
  const shown = host.includes(':') ? `[${host}]` : host
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  const text = await (await fetch(`http://${shown}:${adminPort}/metrics`, { signal })).text()
  const untrustedCount = Number(UNTRUSTED.exec(text)?.[1] ?? 0)
  if (untrustedCount === 0) return ok('no untrusted peer sent X-Forwarded-For')
  return warn(
    `${untrustedCount} requests with X-Forwarded-For came from untrusted peers: add your proxy to SERVICE_TRUSTED_PROXIES, unless clients forge the header`,
  )
}

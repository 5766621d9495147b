import { type Check, ok, skip, warn } from './check.ts'

const ANSWER_TIMEOUT_MS = 2000
const UNTRUSTED = /^millrace_untrusted_proxy_requests_total\{[^}]*role="edge"[^}]*\} (\d+)/m

/** Whether the requests of the running edge came from proxies that it trusts, as its metrics tell. */
export const checkProxies: Check = async ({ isServed, settings }) => {
  const { roles, trustedProxies, adminHost, adminPort } = settings
  if (!roles.includes('edge')) return skip('these roles take no requests')
  if (trustedProxies.cidrs.length === 0) return ok('no proxy is trusted: peers are clients')
  if (!isServed) return skip('the service does not run')
  const host = adminHost === '0.0.0.0' ? '127.0.0.1' : adminHost
  const shown = host.includes(':') ? `[${host}]` : host
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  const text = await (await fetch(`http://${shown}:${adminPort}/metrics`, { signal })).text()
  const untrustedCount = Number(UNTRUSTED.exec(text)?.[1] ?? 0)
  if (untrustedCount === 0) return ok('no request named a client through a proxy that is not trusted')
  return warn(
    `${untrustedCount} requests named a client through a proxy that is not trusted: add its address to SERVICE_TRUSTED_PROXIES, or clients make it up`,
  )
}

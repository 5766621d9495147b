import type { Settings } from '../settings/settings.ts'

/** Wildcard addresses, which a browser cannot open. */
const ANY_HOST: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])

/** Base of links to this service. */
export function publicUrlOf(settings: Settings): string {
  const { publicUrl, serverHost, serverPort, tlsCert } = settings
  if (publicUrl !== undefined) return publicUrl
  const host = ANY_HOST.has(serverHost) ? 'localhost' : serverHost
  const named = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return `${tlsCert === undefined ? 'http' : 'https'}://${named}:${serverPort}`
}

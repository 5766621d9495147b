import type { Settings } from './settings.ts'

type TimeSettings = Pick<Settings, 'queryTimeoutSeconds'>
type ClusterSettings = Pick<Settings, 'clickhouseCluster' | 'clickhouseNodes'>
type AddressSettings = Pick<Settings, 'serverHost' | 'serverPort' | 'tlsCert'>

/** Longest wait in the queue before a client is told to retry. */
export const TURN_SECONDS_MAX = 15

/** Deadline of a dashboard, whose queries queue behind each other. */
export function dashboardSeconds({ queryTimeoutSeconds }: TimeSettings): number {
  return queryTimeoutSeconds * 2
}

/** Deadline of a call to the query process; callers wait slightly longer. */
export function longestCallSeconds(settings: TimeSettings): number {
  return Math.max(TURN_SECONDS_MAX + settings.queryTimeoutSeconds, dashboardSeconds(settings))
}

/** Twice the lag with which a replica is still queried. */
const REPLICA_LAG_MS_MAX = 60_000

/** How far one replica may be behind another, with a margin; 0 where nothing is replicated. */
export function replicaLagMs({ clickhouseCluster, clickhouseNodes }: ClusterSettings): number {
  return clickhouseCluster !== undefined && clickhouseNodes.length === 0 ? REPLICA_LAG_MS_MAX : 0
}

/** A question that has ended stops in ClickHouse within this time. */
const STOP_MS_MAX = 10_000

/** Longest time for which a question may use what it has found in the store. */
export function questionMsMax(settings: TimeSettings & ClusterSettings): number {
  return settings.queryTimeoutSeconds * 1000 + STOP_MS_MAX + replicaLagMs(settings)
}

/** Wildcard addresses: valid to listen on, not to connect to. */
export const EVERY_ADDRESS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]'])

/** Base of links to this service, for browsers. */
export function publicUrlOf(settings: AddressSettings & Pick<Settings, 'publicUrl'>): string {
  return settings.publicUrl ?? serverUrlOf(settings, 'localhost')
}

/** Hosts that browsers trust without TLS. */
const LOOPBACKS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether assistants may connect through OAuth, which sends codes and tokens over connections that only TLS or the machine protects. */
export function isMcpOauthOn(settings: AddressSettings & Pick<Settings, 'publicUrl' | 'mcpOauth'>): boolean {
  const { protocol, hostname } = new URL(publicUrlOf(settings))
  return settings.mcpOauth === 'on' && (protocol === 'https:' || LOOPBACKS.has(hostname))
}

/** URL of this service for a program on the same machine. */
export function localUrlOf(settings: AddressSettings): string {
  return serverUrlOf(settings, '127.0.0.1')
}

/** URL of the address on which this service listens. */
export function listenUrlOf(settings: AddressSettings): string {
  return serverUrlOf(settings, settings.serverHost)
}

/** A host with its port, as URLs and messages have them: IPv6 addresses are in brackets. */
export function joinHostPort(host: string, port: number): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}

function serverUrlOf({ serverHost, serverPort, tlsCert }: AddressSettings, loopback: string): string {
  const host = EVERY_ADDRESS.has(serverHost) ? loopback : serverHost
  return `${tlsCert === undefined ? 'http' : 'https'}://${joinHostPort(host, serverPort)}`
}

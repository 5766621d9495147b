import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { readDomainFile, readNetworkFile } from '../pipeline/enrich/bots/list-files.ts'
import { checkGeoDatabase } from '../pipeline/enrich/geo/geo-database.ts'
import type { Settings } from '../settings/settings.ts'

type NamingSettings = Pick<
  Settings,
  'roles' | 'tlsCert' | 'tlsKey' | 'geoipPath' | 'botNetworksPath' | 'referrerSpamPath'
>

/** Settings that name a file. */
type FileSetting =
  | 'SERVICE_TLS_CERT'
  | 'SERVICE_TLS_KEY'
  | 'SERVICE_GEOIP_DB'
  | 'SERVICE_BOT_NETWORKS'
  | 'SERVICE_REFERRER_SPAM'

/** The settings whose files the roles of this invocation read, with the path of each. */
export function findNamedFiles(settings: NamingSettings): Partial<Record<FileSetting, string>> {
  const { roles, tlsCert, tlsKey, geoipPath, botNetworksPath, referrerSpamPath } = settings
  const isEdge = roles.includes('edge')
  const isPublic = roles.includes('edge') || roles.includes('query')
  return {
    ...(isPublic && tlsCert !== undefined && { SERVICE_TLS_CERT: tlsCert }),
    ...(isPublic && tlsKey !== undefined && { SERVICE_TLS_KEY: tlsKey }),
    ...(isEdge && geoipPath !== undefined && { SERVICE_GEOIP_DB: geoipPath }),
    ...(isEdge && botNetworksPath !== undefined && { SERVICE_BOT_NETWORKS: botNetworksPath }),
    ...(isEdge && referrerSpamPath !== undefined && { SERVICE_REFERRER_SPAM: referrerSpamPath }),
  }
}

/** The problems of these files, each in one line that begins with the setting. */
export function findBadFiles(settings: NamingSettings): string[] {
  const files = findNamedFiles(settings)
  const { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key, SERVICE_GEOIP_DB: geoDatabase } = files
  const { SERVICE_BOT_NETWORKS: networks, SERVICE_REFERRER_SPAM: spammers } = files
  const unusable = [
    ...problemsOf('SERVICE_TLS_CERT', () => cert !== undefined && readFileSync(cert)),
    ...problemsOf('SERVICE_TLS_KEY', () => key !== undefined && readFileSync(key)),
    ...problemsOf('SERVICE_GEOIP_DB', () => geoDatabase !== undefined && checkGeoDatabase(geoDatabase)),
    ...problemsOf('SERVICE_BOT_NETWORKS', () => networks !== undefined && readNetworkFile(networks)),
    ...problemsOf('SERVICE_REFERRER_SPAM', () => spammers !== undefined && readDomainFile(spammers)),
  ]
  if (unusable.length > 0 || cert === undefined || key === undefined) return unusable
  return problemsOf('SERVICE_TLS_CERT and SERVICE_TLS_KEY', () =>
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) }),
  )
}

/** The error that using a setting's file throws, as a line; empty when the file is usable. */
function problemsOf(setting: string, use: () => unknown): string[] {
  try {
    use()
    return []
  } catch (error) {
    return [`${setting}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

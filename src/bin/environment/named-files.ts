import { readFileSync } from 'node:fs'
import type { Settings } from '../../settings/settings.ts'

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

/**
 * The problems of these files, each in one line that begins with the setting. Loads the code that reads a file only when there is
 * one, because the supervisor keeps what it has loaded.
 */
export async function findBadFiles(settings: NamingSettings): Promise<string[]> {
  const files = findNamedFiles(settings)
  const names = Object.keys(CHECKS) as FileSetting[]
  const problems = await Promise.all(
    names.map(async (name) => await problemsOf(name, files[name], CHECKS[name])),
  )
  const unusable = problems.flat()
  const { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key } = files
  if (unusable.length > 0 || cert === undefined || key === undefined) return unusable
  return await problemsOf('SERVICE_TLS_CERT and SERVICE_TLS_KEY', cert, async () => {
    const { createSecureContext } = await import('node:tls')
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })
  })
}

/** Throws the error of a file that the service cannot use. */
type Check = (path: string) => Promise<unknown>

const CHECKS = {
  SERVICE_TLS_CERT: async (path) => readFileSync(path),
  SERVICE_TLS_KEY: async (path) => readFileSync(path),
  SERVICE_GEOIP_DB: async (path) =>
    (await import('../../pipeline/enrich/geo/geo-database.ts')).checkGeoDatabase(path),
  SERVICE_BOT_NETWORKS: async (path) =>
    (await import('../../pipeline/enrich/bots/list-files.ts')).readNetworkFile(path),
  SERVICE_REFERRER_SPAM: async (path) =>
    (await import('../../pipeline/enrich/bots/list-files.ts')).readDomainFile(path),
} as const satisfies Record<FileSetting, Check>

/** The error of the check as a line; empty when the file is usable or there is none. */
async function problemsOf(setting: string, path: string | undefined, check: Check): Promise<string[]> {
  try {
    if (path !== undefined) await check(path)
    return []
  } catch (error) {
    return [`${setting}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

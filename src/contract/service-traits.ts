import type { ServiceName } from './gen/service-names.js'

type FamilyOf<Name extends string> = Name extends `${infer Family}.${string}` ? Family : never

/** The first part of the package of a service: `sdk` of `sdk.events.v1.EventsService`. */
export type ServiceFamily = FamilyOf<ServiceName> | 'grpc'

/** Wire facts that the services of a family share. */
export interface FamilyTraits {
  /**
   * Origins whose pages may call them. No service reads a cookie, so a page sees only the answers for a credential that it
   * has: `every` is for keys that pages contain, `configured` for the origins of `SERVICE_CORS_ORIGINS`.
   */
  readonly origins: 'every' | 'configured' | 'none'
  /** Whether calls need a credential; without one, messages are limited to a few kilobytes. */
  readonly needsCredential: boolean
}

const FAMILIES = {
  sdk: { origins: 'every', needsCredential: true },
  shared: { origins: 'configured', needsCredential: true },
  dashboard: { origins: 'configured', needsCredential: true },
  millrace: { origins: 'configured', needsCredential: true },
  public: { origins: 'configured', needsCredential: false },
  // Health checks and reflection, which the protocol itself defines.
  grpc: { origins: 'none', needsCredential: false },
} as const satisfies Record<ServiceFamily, FamilyTraits>

const BY_PREFIX: ReadonlyMap<string, FamilyTraits> = new Map(
  Object.entries(FAMILIES).map(([family, traits]) => [`/${family}`, traits]),
)

/** The traits of the family that a path belongs to; `undefined` for paths of no service. */
export function familyOfPath(path: string): FamilyTraits | undefined {
  const end = path.indexOf('.')
  return end === -1 ? undefined : BY_PREFIX.get(path.slice(0, end))
}

/** Services whose messages have several times the objects of others: a dashboard has up to a hundred tiles, each with a query. */
export const LARGE_SERVICES: ReadonlySet<string> = new Set([
  'dashboard.dashboards.v1.DashboardsService',
] satisfies readonly ServiceName[])

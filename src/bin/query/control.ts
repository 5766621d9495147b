import type { ConnectRouter } from '@connectrpc/connect'
import type { OrganisationId } from '../../contract/ids.ts'
import type { AccessTokens } from '../../control/access/access-token.ts'
import { registerCustomers } from '../../control/account/account-services.ts'
import { registerAuditLog } from '../../control/audit/audit-log-service.ts'
import { createSignInLimits } from '../../control/auth/auth-ports.ts'
import { registerAuth } from '../../control/auth/auth-service.ts'
import { createLinkShare } from '../../control/auth/fair-share.ts'
import { createGoogleKeys } from '../../control/auth/google-sign-in.ts'
import { KnownNetworks } from '../../control/auth/known-networks.ts'
import { PasswordHasher } from '../../control/auth/password-hasher.ts'
import type { ProviderPorts } from '../../control/auth/provider-ports.ts'
import { createQueueSignInLink } from '../../control/auth/sign-in-mail.ts'
import { createMagicLinkUrl } from '../../control/customers/magic-links.ts'
import { readDashboard } from '../../control/dashboards/dashboard-store.ts'
import { registerDashboards } from '../../control/dashboards/dashboards-service.ts'
import { relyingPartyOf } from '../../control/factors/relying-party.ts'
import { registerLibrary } from '../../control/library/annotations-service.ts'
import type { MailRoute } from '../../control/mail/choose-sender.ts'
import { MailProviders } from '../../control/mail/mail-provider.ts'
import { createSendMail } from '../../control/mail/mail-queue.ts'
import { registerOrganisations } from '../../control/organisations/organisations-service.ts'
import { registerProjects } from '../../control/projects/projects-service.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { countEventsBefore } from '../../query/activity/count-events.ts'
import { createRunner, type QueryPorts } from '../../query/calls/query-call.ts'
import { publicUrlOf } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { loadSecretKey } from '../../store/secret-files.ts'
import type { StoreLink } from '../environment/store-link.ts'
import { registerAlerts } from './alerts.ts'
import { registerChannels } from './channels.ts'
import { openDashboardsPorts } from './dashboards.ts'
import { createFillDemo } from './demo.ts'
import { registerMailAndPush } from './mail-and-push.ts'
import { createPauseReports, registerReports } from './reports.ts'

/** The dependencies of the console's services. */
export interface ControlParts {
  readonly settings: Settings
  readonly catalog: Catalog
  readonly tokens: AccessTokens
  /** The OpenID Connect providers. */
  readonly oidc: ProviderPorts
  /** The ports of insight queries. */
  readonly query: QueryPorts
  /** May write. */
  readonly store: StoreLink
  /** Looks for background jobs now. */
  readonly wakeJobs: () => void
  readonly log: Logger
}

/** Registers every service of the console and of what it sets up. */
export function registerControl(router: ConnectRouter, parts: ControlParts): void {
  const { settings, catalog, tokens, wakeJobs } = parts
  const clock = systemClock
  const key = loadSecretKey(settings.dataDir, settings.secretKey)
  const sealer = new Sealer(key)
  const sendMail = createSendMail({ catalog, clock, sealer, wakeJobs })
  const magicLinkUrl = createMagicLinkUrl(publicUrlOf(settings))
  const relyingParty = relyingPartyOf(publicUrlOf(settings))
  const passwords = new PasswordHasher()
  const limits = createSignInLimits({ catalog, clock, key })
  const { oauthGoogleClientId: clientId, oauthGoogleKeysUrl, trustedProxies } = settings
  const { oidc } = parts
  const { providers } = oidc
  registerAuth(router, {
    catalog,
    clock,
    tokens,
    passwords,
    key,
    limits,
    networks: new KnownNetworks({ catalog, clock, key }),
    signUp: settings.signUp,
    google:
      clientId === undefined ? undefined : { clientId, keys: createGoogleKeys(oauthGoogleKeysUrl), clock },
    oidc,
    relyingParty,
    linkShare: createLinkShare(),
    queueSignInLink: createQueueSignInLink({ catalog, clock, sealer, wakeJobs }),
    trustedProxies,
  })
  const publicUrl = publicUrlOf(settings)
  const account = { catalog, clock, sealer, passwords, oidc, providers, sendMail, publicUrl }
  const { currentPasswords: attempts, codesOfSession: codes } = limits
  registerCustomers(router, { ...account, relyingParty, attempts, codes })
  const routeMail = async (transaction: Catalog, organisationId: OrganisationId): Promise<MailRoute> => {
    if (await new MailProviders({ catalog: transaction, sealer }).has(organisationId)) return 'provider'
    return settings.smtpUrl === undefined ? 'log' : 'server'
  }
  registerOrganisations(router, { catalog, clock, sendMail, routeMail, magicLinkUrl })
  registerAuditLog(router, { catalog, sealer })
  registerProjects(router, {
    ...{ catalog, clock, sealer },
    fillDemo: createFillDemo(settings, parts),
    countEvents: async (events, signal) =>
      await countEventsBefore(events, createRunner(parts.query, { ...events, signal })),
    serviceRetentionDays: settings.retentionDays,
  })
  registerDashboards(router, {
    ...openDashboardsPorts(settings, { ...parts, passwords, key }),
    onDelete: createPauseReports({ ...parts, sealer }),
  })
  registerLibrary(router, {
    catalog,
    clock,
    requireDashboard: async (transaction, key) => await readDashboard({ catalog: transaction }, key),
  })
  registerMailAndPush(router, { ...parts, sealer })
  registerChannels(router, { ...parts, sealer })
  registerAlerts(router, { ...parts, sealer })
  registerReports(router, { ...parts, query: () => parts.query, sealer, key })
}

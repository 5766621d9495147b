import type { Interceptor } from '@connectrpc/connect'
import type { Caller } from '../../access/caller.ts'
import { admitCall, type CallToAdmit } from '../../control/access/access-gate.ts'
import { AccessTokens } from '../../control/access/access-token.ts'
import {
  createCacheClearingInterceptor,
  createOrganisationInterceptor,
} from '../../control/access/organisation-access.ts'
import { ProjectAccessReader } from '../../control/access/project-access-reader.ts'
import { SessionReader } from '../../control/access/session-reader.ts'
import { TokenReader } from '../../control/access/token-reader.ts'
import { createAuditInterceptor } from '../../control/audit/audit-interceptor.ts'
import { createSignInLimits } from '../../control/auth/auth-ports.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { isMcpOauthOn } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { KeyResolver } from '../../store/catalog/key-resolver.ts'
import { TokenUses } from '../../store/catalog/token-uses.ts'
import { loadJwtSecret, loadSecretKey } from '../../store/secret-files.ts'

/** The checks before every call of the query process. */
export interface Access {
  /** Identifies the caller by the headers of a call, and refuses calls that the caller may not make. */
  readonly authenticate: (call: CallToAdmit) => Promise<Caller>
  /** The checks that need the message. */
  readonly interceptors: readonly Interceptor[]
  /** The audit log, after every check. */
  readonly recorders: readonly Interceptor[]
  readonly tokens: AccessTokens
  /** Clears what this process knows about sessions, after a change outside of a call. */
  readonly forgetSessions: () => void
  /** Clears what this process knows about tokens. */
  readonly forgetTokens: () => void
  /** Writes what is left to be written. */
  readonly close: () => Promise<void>
}

/** Opens the gate. */
export function openAccess(settings: Settings, catalog: Catalog, log: Logger): Access {
  const { dataDir, trustedProxies } = settings
  const tokens = new AccessTokens(loadJwtSecret(dataDir, settings.jwtSecret), systemClock)
  const projects = new ProjectAccessReader(catalog)
  const sessions = new SessionReader(catalog, systemClock)
  const clock = systemClock
  const key = loadSecretKey(dataDir, settings.secretKey)
  const { tokensOfNetwork } = createSignInLimits({ catalog, clock, key })
  const uses = new TokenUses(catalog, clock, log)
  const personalTokens = new TokenReader({
    catalog,
    clock,
    guesses: {
      require: async (network) => await tokensOfNetwork.require(network),
      count: async (network) => await tokensOfNetwork.take(network),
    },
    noteUse: (id) => uses.note(id),
    assistants: isMcpOauthOn(settings) ? 'on' : 'off',
  })
  const ports = {
    personalTokens,
    keys: new KeyResolver(catalog),
    tokens,
    projects,
    sessions,
    clock,
    trustedProxies,
  }
  return {
    tokens,
    recorders: [
      createAuditInterceptor({
        ...{ catalog, log, trustedProxies },
        clock: systemClock,
        sealer: new Sealer(key),
      }),
    ],
    forgetSessions: () => sessions.forget(),
    forgetTokens: () => personalTokens.forget(),
    close: async () => await uses.close(),
    authenticate: async (call) => await admitCall(ports, call),
    interceptors: [
      createCacheClearingInterceptor([projects, sessions, personalTokens]),
      createOrganisationInterceptor(catalog, sessions),
    ],
  }
}

import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  OrgEmailProviderKind,
  type OrgEmailProvidersService,
} from '../../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { asOrganisationId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ProviderReach } from '../mail/choose-sender.ts'
import type { MailProvider, MailProviders, ProviderConfig } from '../mail/mail-provider.ts'
import { parseProvider } from './parse-provider.ts'
import { sendTestMail } from './send-test-mail.ts'

/** Dependencies of the service. */
export interface EmailProvidersPorts {
  readonly clock: Clock
  readonly providers: MailProviders
  readonly reach: ProviderReach
  readonly log: Logger
}

const KINDS = {
  smtp: OrgEmailProviderKind.SMTP,
  resend: OrgEmailProviderKind.RESEND,
} as const satisfies Record<ProviderConfig['kind'], OrgEmailProviderKind>

/** `dashboard.orgemailproviders.v1.OrgEmailProvidersService`; the access gate admits only admins of the organisation. */
export function createEmailProvidersService(
  ports: EmailProvidersPorts,
): ServiceImpl<typeof OrgEmailProvidersService> {
  const { providers, clock } = ports
  const read = async (orgId: string): Promise<MailProvider> => {
    const provider = await providers.find(asOrganisationId(orgId))
    if (!provider) throw notFound()
    return provider
  }
  return {
    get: async ({ orgId }) => {
      const { config, fromAddress, replyTo, updatedMs } = await read(orgId)
      const redactedSecret = redact(config.kind === 'smtp' ? config.server.password : config.apiKey)
      const updateTime = timestampFromMs(updatedMs)
      return { kind: KINDS[config.kind], fromAddress, replyTo, redactedSecret, updateTime }
    },
    set: async (request) => {
      const organisationId = asOrganisationId(request.orgId)
      const stored = await providers.find(organisationId)
      const updatedMs = clock.nowMs()
      await providers.set(organisationId, { ...parseProvider(request, stored?.config), updatedMs })
      return { updateTime: timestampFromMs(updatedMs) }
    },
    remove: async ({ orgId }) => {
      await providers.remove(asOrganisationId(orgId))
      return {}
    },
    sendTest: async ({ orgId, recipient }, context) => {
      const provider = await read(orgId)
      const { reach, log } = ports
      const organisationId = asOrganisationId(orgId)
      return await sendTestMail({ organisationId, provider, recipient, reach, log, signal: context.signal })
    },
  }
}

const SHOWN_CHARACTERS_MAX = 4
/** At most a quarter of a secret is shown. */
const SHOWN_DIVISOR = 4

/** The masked secret: its last characters, to recognise it by. */
export function redact(secret: string): string {
  if (secret === '') return ''
  const shownCount = Math.min(SHOWN_CHARACTERS_MAX, Math.floor(secret.length / SHOWN_DIVISOR))
  return `****${secret.slice(secret.length - shownCount)}`
}

function notFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'EMAIL_PROVIDER_NOT_FOUND',
    message: 'the organisation has no mail provider',
  })
}

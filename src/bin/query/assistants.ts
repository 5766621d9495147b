import { createOauthEndpoints } from '../../control/assistants/oauth-endpoint.ts'
import { RESOURCE_METADATA_PATH } from '../../control/assistants/oauth-paths.ts'
import { createSignInLimits } from '../../control/auth/auth-ports.ts'
import { systemClock } from '../../kernel/clock.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { isMcpOauthOn, publicUrlOf } from '../../settings/derived-settings.ts'
import { loadSecretKey } from '../../store/secret-files.ts'
import type { ControlParts } from './control.ts'

/** What lets assistants connect to `/mcp` by its address; nothing where it is off. */
export function openAssistants({
  settings,
  catalog,
  log,
  forgetTokens,
}: Pick<ControlParts, 'settings' | 'catalog' | 'log'> & { readonly forgetTokens: () => void }) {
  if (!isMcpOauthOn(settings)) return {}
  const { dataDir, secretKey, trustedProxies } = settings
  const clock = systemClock
  const key = loadSecretKey(dataDir, secretKey)
  const publicUrl = publicUrlOf(settings)
  const limits = createSignInLimits({ catalog, clock, key })
  const sealer = new Sealer(key)
  return {
    nodeEndpoints: createOauthEndpoints({
      ...{ catalog, clock, sealer, key, publicUrl, trustedProxies, log, limits, forgetTokens },
    }),
    resourceMetadataUrl: new URL(RESOURCE_METADATA_PATH, publicUrl).href,
  }
}

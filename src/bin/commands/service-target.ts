import { localUrlOf } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ServiceTarget } from '../../transfer/send/service-client.ts'
import { FatalError } from '../environment/fatal-error.ts'

/** The target of a command's events: `--url`, by default the service of this machine. Throws {@link FatalError}. */
export function findService(
  settings: Settings,
  { url, key }: { readonly url: string | undefined; readonly key: string | undefined },
): ServiceTarget {
  const secret = key ?? settings.bootstrapPrivateKey
  if (secret === undefined)
    throw new FatalError(
      'no key: pass --key, or set SERVICE_BOOTSTRAP_PRIVATE_KEY or its _FILE; create one with millrace keys create',
    )
  if (url !== undefined && !/^https?:\/\//.test(url))
    throw new FatalError('--url must be an http or https URL')
  return { url: url ?? localUrlOf(settings), key: secret }
}

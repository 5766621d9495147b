import { openProviderPorts, type ProviderPorts } from '../../src/control/auth/provider-ports.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { createLogger } from '../../src/kernel/log.ts'
import { Outbound } from '../../src/kernel/outbound/outbound.ts'
import { Sealer } from '../../src/kernel/sealer.ts'
import type { OidcProvider } from '../../src/settings/oidc-settings.ts'
import { rangesOf } from './loopback.ts'

/** Providers that a service at `https://stats.example.org` signs in with. */
export function openTestProviders(providers: readonly OidcProvider[], clock: Clock): ProviderPorts {
  return openProviderPorts({
    providers,
    outbound: new Outbound({ allowed: rangesOf('192.0.2.1') }),
    clock,
    sealer: new Sealer(Buffer.alloc(32, 6)),
    log: createLogger({ role: 'test', level: 'silent' }),
    publicUrl: 'https://stats.example.org/',
    corsOrigins: [],
  })
}

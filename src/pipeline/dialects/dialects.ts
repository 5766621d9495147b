import { AMPLITUDE } from './amplitude/amplitude.ts'
import type { Dialect } from './foreign/dialect.ts'
import type { ForeignRequest } from './foreign/foreign-batch.ts'
import { GA4 } from './ga4/ga4.ts'
import { MIXPANEL } from './mixpanel/mixpanel.ts'
import { OPENPANEL } from './openpanel/openpanel.ts'
import { PLAUSIBLE } from './plausible/plausible.ts'
import { POSTHOG } from './posthog/posthog.ts'
import { SEGMENT } from './segment/segment.ts'
import { UMAMI } from './umami/umami.ts'

/** The dialects by the first element of their paths. A new one is added to {@link ForeignRequest} and here. */
export const DIALECTS = {
  posthog: POSTHOG,
  segment: SEGMENT,
  plausible: PLAUSIBLE,
  umami: UMAMI,
  openpanel: OPENPANEL,
  ga4: GA4,
  mixpanel: MIXPANEL,
  amplitude: AMPLITUDE,
} as const satisfies Record<ForeignRequest['dialect'], Dialect>

import type { Dialect } from './foreign/dialect.ts'
import type { ForeignRequest } from './foreign/foreign-batch.ts'
import { POSTHOG } from './posthog/posthog.ts'
import { SEGMENT } from './segment/segment.ts'

/** The dialects by the first element of their paths. A new one is added to {@link ForeignRequest} and here. */
export const DIALECTS = {
  posthog: POSTHOG,
  segment: SEGMENT,
} as const satisfies Record<ForeignRequest['dialect'], Dialect>

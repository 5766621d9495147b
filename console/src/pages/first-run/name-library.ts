import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { autoText } from '../../people/visits.ts'

/** Products by the names that their libraries give themselves; other libraries are shown by those. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['web', 'PostHog'],
  ['posthog-node', 'PostHog'],
  ['analytics.js', 'Segment'],
  ['@segment/analytics-node', 'Segment'],
  ['RudderLabs JavaScript SDK', 'RudderStack'],
  ['amplitude-ts', 'Amplitude'],
  ['amplitude-node-ts', 'Amplitude'],
  ['plausible', 'Plausible'],
  ['umami', 'Umami'],
  ['openpanel-web', 'OpenPanel'],
  ['openpanel-nextjs', 'OpenPanel'],
  ['openpanel-node', 'OpenPanel'],
])

/** The library that sent an event, with its version; `undefined` when the event does not tell. */
export function nameLibrary(event: Pick<ActivityEvent, 'autoProperties'>): string | undefined {
  const library = autoText(event, '$lib')
  if (library === '') return undefined
  return [PRODUCTS.get(library) ?? library, autoText(event, '$lib_version')].filter(Boolean).join(' ')
}

import {
  API_EVENTS,
  AUTH_EVENTS,
  INTEGRATION_EVENTS,
  INVITATION_EVENTS,
  WORKSPACE_EVENTS,
} from './families/accounts.ts'
import { CHAT_EVENTS } from './families/chat.ts'
import { BILLING_EVENTS, COMMERCE_EVENTS } from './families/commerce.ts'
import {
  APP_EVENTS,
  DISCOVERY_EVENTS,
  ERROR_EVENTS,
  FILE_EVENTS,
  FORM_EVENTS,
  MEDIA_EVENTS,
  NAVIGATION_EVENTS,
  NOTIFICATION_EVENTS,
  SOCIAL_EVENTS,
  SUPPORT_EVENTS,
} from './families/usage.ts'
import type { EventFamily, EventRules } from './property-rules.ts'

/** The well-known kinds by family. Other kinds, and other properties of these kinds, are always welcome. */
export const WELL_KNOWN_FAMILIES = {
  api: API_EVENTS,
  app: APP_EVENTS,
  auth: AUTH_EVENTS,
  billing: BILLING_EVENTS,
  chat: CHAT_EVENTS,
  commerce: COMMERCE_EVENTS,
  discovery: DISCOVERY_EVENTS,
  error: ERROR_EVENTS,
  file: FILE_EVENTS,
  form: FORM_EVENTS,
  integration: INTEGRATION_EVENTS,
  invitation: INVITATION_EVENTS,
  media: MEDIA_EVENTS,
  navigation: NAVIGATION_EVENTS,
  notification: NOTIFICATION_EVENTS,
  social: SOCIAL_EVENTS,
  support: SUPPORT_EVENTS,
  workspace: WORKSPACE_EVENTS,
} as const satisfies Record<string, EventFamily>

/** One well-known kind. */
export interface WellKnownEvent {
  readonly kind: string
  readonly family: string
  readonly properties: EventRules
}

/** Every well-known kind, in the order of the families. */
export const WELL_KNOWN_EVENTS: readonly WellKnownEvent[] = Object.entries(WELL_KNOWN_FAMILIES).flatMap(
  ([family, events]: [string, EventFamily]) =>
    Object.entries(events).map(([kind, properties]) => ({ kind, family, properties })),
)

/** The names that a property goes by: its snake_case name, then its lowerCamelCase name where that differs. */
export function propertySpellings(name: string): readonly string[] {
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return camel === name ? [name] : [name, camel]
}

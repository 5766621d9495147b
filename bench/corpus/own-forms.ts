import { NO_SESSION } from '../../src/contract/ids.ts'
import type { JsonPropertyValue } from './events.ts'
import { SHOP_HOST, type VisitEvent } from './visits.ts'

/** The corpora beside the first one, which stays for comparison: what the snippet, a web SDK with more properties of its own, and a server SDK send. */
export const OWN_FORMS = {
  browser: toBrowserEvent,
  'web-sdk': toWebSdkEvent,
  server: toServerEvent,
} as const satisfies Record<string, (event: VisitEvent) => object>

/** Name of a corpus of {@link OWN_FORMS}. */
export type OwnForm = keyof typeof OWN_FORMS

/** As `sdk/browser` writes it: the service derives browser, system, place and campaign. */
function toBrowserEvent(event: VisitEvent): object {
  const { distinctId, sessionId, eventId, kind } = event
  const [width, height] = event.agent.screen
  const page = {
    $url: urlOf(event),
    $referrer: event.referrer || undefined,
    $title: event.title,
    $language: event.language,
    $screenWidth: width,
    $screenHeight: height,
  }
  return {
    distinctId,
    sessionId,
    autoProperties: encode(page),
    eventId,
    kind,
    occurTime: new Date(event.timeMs).toISOString(),
    customProperties: encode(event.properties),
  }
}

/** A web SDK that looks at the browser and the address itself. */
function toWebSdkEvent(event: VisitEvent): object {
  const { eventId, kind, distinctId, sessionId, agent, campaign } = event
  const [width, height] = agent.screen
  const page = {
    $url: urlOf(event),
    $hostname: SHOP_HOST,
    $pathname: event.pathname,
    $title: event.title,
    $referrer: event.referrer || undefined,
    $utmSource: campaign.utm_source,
    $utmMedium: campaign.utm_medium,
    $utmCampaign: campaign.utm_campaign,
    $browser: agent.browser,
    $browserVersion: agent.browserVersion,
    $os: agent.os,
    $deviceType: agent.deviceType,
    $language: event.language,
    $screenWidth: width,
    $screenHeight: height,
  }
  return {
    eventId,
    kind,
    occurTime: new Date(event.timeMs).toISOString(),
    distinctId,
    sessionId,
    autoProperties: encode(page),
    customProperties: encode(event.properties),
  }
}

/** As `sdk/node` writes it: no page and no session. */
function toServerEvent(event: VisitEvent): object {
  const { eventId, kind, distinctId } = event
  const properties = {
    ...event.properties,
    path: event.pathname,
    user_agent: event.agent.userAgent,
    plan: 'pro',
  }
  return {
    eventId,
    kind,
    distinctId,
    sessionId: NO_SESSION,
    occurTime: new Date(event.timeMs).toISOString(),
    autoProperties: {},
    customProperties: encode(properties),
  }
}

/** The address of the page of an event. */
export function urlOf({ pathname, search }: VisitEvent): string {
  return `https://${SHOP_HOST}${pathname}${search}`
}

/** Properties as the wire has them; those without a value are left out. */
function encode(
  properties: Readonly<Record<string, string | number | boolean | undefined>>,
): Readonly<Record<string, JsonPropertyValue>> {
  const entries = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, encodeValue(value)] as const],
  )
  return Object.fromEntries(entries)
}

function encodeValue(value: string | number | boolean): JsonPropertyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

import { gzipSync } from 'node:zlib'
import type { ForeignRequest } from '../../src/pipeline/dialects/foreign/foreign-batch.ts'
import { INGEST_RANGE } from './fixtures.ts'
import { urlOf } from './own-forms.ts'
import { toPosthogJs } from './posthog-js-event.ts'
import { SHOP_HOST, type VisitEvent } from './visits.ts'

/** The key of requests that no service checks. */
export const VENDOR_KEY = 'pub_benchbenchbenchbenchbench'

/** How a vendor's SDK sends events. */
export interface VendorForm {
  /** The dialect with the SDK, and the number of events in a request. */
  readonly name: string
  readonly dialect: ForeignRequest['dialect']
  readonly form: string
  /** Where it sends to, with {@link VENDOR_KEY} where the path has the key. */
  readonly path: string
  /** Events of a request, as its SDK sends them by default. */
  readonly size: number
  /** The text before the part of an event id that makes it unique. */
  readonly beforeId: string
  /** The JSON of a request. */
  write(events: readonly VisitEvent[], key: string): object
  /** The body of a request as it travels. */
  wrap(json: Buffer): Buffer
}

type Plain = Readonly<Record<string, unknown>>

/** The clocks of most clients are right: another time would add a property and a warning to each event. */
const SENT_AT = new Date().toISOString()
const asIs = (json: Buffer): Buffer => json

/** Requests with the fields that the SDKs send: a test compares them with what the installed SDKs do send. */
export const VENDOR_FORMS: readonly VendorForm[] = [
  {
    name: 'posthog-js-10',
    dialect: 'posthog',
    form: 'capture',
    path: '/posthog/e/',
    size: 10,
    beforeId: '"uuid":"',
    write: (events, key) => ({
      api_key: key,
      batch: events.map((event) => toPosthogJs(event, key)),
      sent_at: SENT_AT,
    }),
    wrap: (json) => gzipSync(json),
  },
  {
    name: 'posthog-node-20',
    dialect: 'posthog',
    form: 'capture',
    path: '/posthog/batch/',
    size: 20,
    beforeId: '"uuid":"',
    write: (events, key) => ({ api_key: key, batch: events.map(toPosthogNode), sent_at: SENT_AT }),
    wrap: (json) => gzipSync(json),
  },
  {
    name: 'segment-15',
    dialect: 'segment',
    form: 'batch',
    path: '/v1/batch',
    size: 15,
    beforeId: '"messageId":"node-next-1768910400000-',
    write: (events, key) => ({ batch: events.map(toSegment), writeKey: key, sentAt: SENT_AT }),
    wrap: asIs,
  },
  {
    name: 'rudderstack-20',
    dialect: 'segment',
    form: 'batch',
    path: `/segment/v1/batch?writeKey=${VENDOR_KEY}`,
    size: 20,
    beforeId: '"messageId":"',
    write: (events) => ({ batch: events.map(toRudderstack), timestamp: SENT_AT, sentAt: SENT_AT }),
    wrap: (json) => gzipSync(json),
  },
  {
    name: 'mixpanel-50',
    dialect: 'mixpanel',
    form: 'track-on-device',
    path: '/mixpanel/track/?verbose=1&ip=1',
    size: 50,
    beforeId: '"$insert_id":"',
    write: (events, key) => events.map((event) => toMixpanel(event, key)),
    wrap: (json) => Buffer.from(`data=${encodeURIComponent(json.toString('base64'))}`),
  },
  {
    name: 'amplitude-30',
    dialect: 'amplitude',
    form: 'events',
    path: '/amplitude/2/httpapi',
    size: 30,
    beforeId: '"insert_id":"',
    write: (events, key) => ({
      api_key: key,
      events: events.map(toAmplitude),
      options: {},
      client_upload_time: SENT_AT,
    }),
    wrap: asIs,
  },
  {
    name: 'plausible-1',
    dialect: 'plausible',
    form: 'event',
    path: `/plausible/${VENDOR_KEY}/api/event`,
    size: 1,
    beforeId: '',
    write: ([event]) => (event ? toPlausible(event) : {}),
    wrap: asIs,
  },
  {
    name: 'umami-1',
    dialect: 'umami',
    form: 'send',
    path: `/umami/${VENDOR_KEY}/api/send`,
    size: 1,
    beforeId: '',
    write: ([event]) => (event ? toUmami(event) : {}),
    wrap: asIs,
  },
  {
    name: 'ga4-25',
    dialect: 'ga4',
    form: 'collect',
    path: `/ga4/mp/collect?api_secret=${VENDOR_KEY}`,
    size: 25,
    beforeId: '',
    write: (events) => ({ client_id: events[0]?.deviceId, events: events.map(toGa4) }),
    wrap: asIs,
  },
]

function toPosthogNode({ eventId, kind, timeMs, distinctId, properties, pathname }: VisitEvent): Plain {
  const library = { $lib: 'posthog-node', $lib_version: '5.70.0', $is_server: true, $geoip_disable: true }
  return {
    event: kind,
    properties: { ...properties, path: pathname, plan: 'pro', ...library },
    timestamp: new Date(timeMs).toISOString(),
    uuid: eventId,
    distinct_id: distinctId,
  }
}

function toSegment(event: VisitEvent): Plain {
  const { eventId, kind, timeMs, distinctId, isUser, deviceId } = event
  return {
    timestamp: new Date(timeMs).toISOString(),
    integrations: {},
    event: kind,
    type: 'track',
    properties: { ...event.properties, plan: 'pro' },
    context: { ...contextOf(event), library: { name: '@segment/analytics-node', version: '3.1.0' } },
    ...(isUser ? { userId: distinctId } : {}),
    anonymousId: deviceId,
    messageId: `node-next-1768910400000-${eventId}`,
    _metadata: { nodeVersion: 'v22.23.2', jsRuntime: 'node' },
  }
}

/** What a server tells of the browser that it answers. */
function contextOf(event: VisitEvent): Plain {
  const { pathname: path, title, referrer, agent, language: locale } = event
  return { page: { url: urlOf(event), path, title, referrer }, userAgent: agent.userAgent, locale }
}

function toRudderstack(event: VisitEvent): Plain {
  const { eventId, kind, timeMs, distinctId, isUser, deviceId } = event
  const time = new Date(timeMs).toISOString()
  return {
    event: kind,
    ...(isUser ? { userId: distinctId } : {}),
    anonymousId: deviceId,
    properties: { ...event.properties, plan: 'pro' },
    context: { ...contextOf(event), library: { name: 'analytics-node', version: '3.0.13' } },
    timestamp: time,
    type: 'track',
    channel: 'server',
    _metadata: { nodeVersion: '22.23.2' },
    originalTimestamp: time,
    messageId: eventId,
    sentAt: SENT_AT,
  }
}

function toMixpanel(event: VisitEvent, key: string): Plain {
  const { kind, timeMs, distinctId, isUser, deviceId, eventId, agent } = event
  const page = {
    $os: agent.os,
    $browser: agent.browser,
    ...referrerOf(event),
    $current_url: urlOf(event),
    $browser_version: Number.parseFloat(agent.browserVersion),
    $screen_height: agent.screen[1],
    $screen_width: agent.screen[0],
    mp_lib: 'web',
    $lib_version: '2.83.0',
    $insert_id: eventId.replaceAll('-', '').slice(0, 16),
    time: timeMs / 1000,
    ...event.campaign,
    distinct_id: isUser ? distinctId : `$device:${deviceId}`,
    $device_id: deviceId,
    ...(isUser ? { $user_id: distinctId } : {}),
    $initial_referrer: '$direct',
    $initial_referring_domain: '$direct',
  }
  return {
    event: kind,
    properties: { ...page, ...event.properties, token: key, mp_sent_by_lib_version: '2.83.0' },
  }
}

function referrerOf({ referrer }: VisitEvent): Plain {
  return referrer === '' ? {} : { $referrer: referrer, $referring_domain: new URL(referrer).hostname }
}

function toAmplitude(event: VisitEvent): Plain {
  const { eventId, kind, timeMs, distinctId, isUser, deviceId, referrer, pathname } = event
  return {
    device_id: deviceId,
    ...(isUser ? { user_id: distinctId } : {}),
    session_id: INGEST_RANGE.fromMs,
    time: timeMs,
    platform: 'Web',
    language: event.language,
    ip: '$remote',
    insert_id: eventId,
    event_type: kind,
    event_properties: {
      ...event.campaign,
      ...(referrer === '' ? {} : { referrer, referring_domain: new URL(referrer).hostname }),
      ...event.properties,
      '[Amplitude] Page Domain': SHOP_HOST,
      '[Amplitude] Page Location': urlOf(event),
      '[Amplitude] Page Path': pathname,
      '[Amplitude] Page Title': event.title,
      '[Amplitude] Page URL': `https://${SHOP_HOST}${pathname}`,
    },
    event_id: 12,
    library: 'amplitude-ts-sdk-script/2.47.0',
    user_agent: event.agent.userAgent,
  }
}

function toPlausible(event: VisitEvent): Plain {
  const { kind, referrer, properties } = event
  const isView = kind === 'page_view'
  return {
    n: isView ? 'pageview' : kind,
    v: 30,
    u: urlOf(event),
    d: SHOP_HOST,
    r: referrer === '' ? null : referrer,
    ...(isView ? {} : { p: properties }),
  }
}

function toUmami(event: VisitEvent): Plain {
  const { kind, title, language, referrer, agent, properties } = event
  const page = {
    website: 'b59e9c65-ae32-47f1-8400-119fcf4861c4',
    screen: agent.screen.join('x'),
    language,
    title,
    hostname: SHOP_HOST,
    url: urlOf(event),
    referrer,
  }
  return {
    type: 'event',
    payload: kind === 'page_view' ? page : { ...page, name: kind, data: properties },
  }
}

function toGa4(event: VisitEvent): Plain {
  const page = { page_location: urlOf(event), page_title: event.title, page_referrer: event.referrer }
  const params = { session_id: '1768910400', engagement_time_msec: 100, ...page, ...event.properties }
  return { name: event.kind, timestamp_micros: event.timeMs * 1000, params }
}

import { expect } from 'vitest'
import { PUBLIC_KEY } from '../harness/service.ts'

/** One way in which each vendor's SDKs send. */
export interface Vendor {
  readonly name: string
  /** The path of requests with a key in it, where the vendor has none in its bodies. */
  path(key: string): string
  /** Headers with a key in them, where the vendor has none in its bodies and paths. */
  headers?(key: string): Readonly<Record<string, string>>
  /** A body with events that have some more properties each. */
  body(key: string, events: readonly object[]): string
  /** An event of a kind with properties. */
  event(kind: string, properties: object): object
  /** What the body of a refusal must match. */
  readonly refusal: unknown
  /** Statuses of a body that no SDK sends. */
  readonly refusedKey: number
}

const TIME = '2026-05-01T10:00:00Z'

/** All vendors. */
export const VENDORS: readonly Vendor[] = [
  {
    name: 'posthog',
    path: () => '/posthog/e/',
    body: (key, batch) => JSON.stringify({ api_key: key, batch }),
    event: (event, properties) => ({ event, distinct_id: 'hostile', timestamp: TIME, properties }),
    refusal: { type: expect.any(String), code: expect.any(String), detail: expect.any(String), attr: null },
    refusedKey: 401,
  },
  {
    name: 'posthog v1',
    path: () => '/posthog/i/v1/analytics/events',
    body: (key, batch) => JSON.stringify({ api_key: key, batch }),
    event: (event, properties) => ({ event, distinct_id: 'hostile', timestamp: TIME, properties }),
    refusal: { error: expect.any(String), error_description: expect.any(String) },
    refusedKey: 401,
  },
  {
    name: 'segment',
    path: () => '/segment/v1/batch',
    body: (key, batch) => JSON.stringify({ writeKey: key, batch }),
    event: (event, properties) => ({ type: 'track', event, userId: 'hostile', timestamp: TIME, properties }),
    refusal: { success: false, code: expect.any(String), message: expect.any(String) },
    refusedKey: 401,
  },
  {
    name: 'mixpanel',
    path: () => '/mixpanel/track?verbose=1',
    body: (key, events) =>
      JSON.stringify(events.map((event) => Object.assign(structuredClone(event), tokenOf(event, key)))),
    event: (event, properties) => ({ event, properties: { ...properties, distinct_id: 'hostile' } }),
    refusal: { status: 0, error: expect.any(String) },
    refusedKey: 401,
  },
  {
    name: 'amplitude',
    path: () => '/amplitude/2/httpapi',
    body: (key, events) => JSON.stringify({ api_key: key, events }),
    event: (event_type, event_properties) => ({
      event_type,
      user_id: 'hostile',
      time: Date.parse(TIME),
      event_properties,
    }),
    refusal: { code: expect.any(Number), error: expect.any(String) },
    refusedKey: 400,
  },
  {
    name: 'plausible',
    path: (key) => `/plausible/${key}/api/event`,
    body: (_, [event]) => JSON.stringify(event),
    event: (name, props) => ({ name, url: 'https://shop.test/', props }),
    refusal: expect.anything(),
    refusedKey: 401,
  },
  {
    name: 'umami',
    path: (key) => `/umami/${key}/api/batch`,
    body: (_, events) => JSON.stringify(events),
    event: (name, data) => ({ type: 'event', payload: { website: 'shop', name, data } }),
    refusal: { error: { message: expect.any(String), status: expect.any(Number) } },
    refusedKey: 401,
  },
  {
    name: 'openpanel',
    path: () => '/openpanel/track',
    headers: (key) => ({ 'openpanel-client-id': key }),
    body: (_, [event]) => JSON.stringify(event),
    event: (name, properties) => ({ type: 'track', payload: { name, properties } }),
    refusal: { status: expect.any(Number), error: expect.any(String), message: expect.any(String) },
    refusedKey: 401,
  },
  {
    name: 'ga4',
    path: (key) => `/ga4/mp/collect?api_secret=${key}`,
    body: (_, events) => JSON.stringify({ client_id: 'hostile', events }),
    event: (name, params) => ({ name, params }),
    refusal: {
      validationMessages: [{ description: expect.any(String), validationCode: expect.any(String) }],
    },
    refusedKey: 401,
  },
]

/** Mixpanel has its token in each event. */
function tokenOf(event: object, token: string): object {
  const { properties } = event as { readonly properties?: object }
  return { properties: { ...properties, token } }
}

/** A body with the key of the tests. */
export function bodyOf(vendor: Vendor, events: readonly object[]): string {
  return vendor.body(PUBLIC_KEY, events)
}

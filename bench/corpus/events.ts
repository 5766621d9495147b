import type { Prng } from '../../src/kernel/prng.ts'
import { BUTTONS, CLIENTS, PAGES, type Page, PLACES, PRODUCTS, REFERRERS, SEARCHES } from './vocabulary.ts'

/** Proto JSON of `common.v1.PropertyValue`. */
export type JsonPropertyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly timestampValue: string }

type JsonProperties = Readonly<Record<string, JsonPropertyValue>>

/** Proto JSON of `sdk.events.v1.Event`. */
export interface JsonEvent {
  readonly eventId: string
  readonly kind: string
  readonly occurTime: string
  readonly distinctId: string
  readonly sessionId: string
  readonly autoProperties: JsonProperties
  readonly customProperties: JsonProperties
}

interface Visitor {
  readonly distinctId: string
  readonly sessionId: string
  readonly autoProperties: JsonProperties
}

const VISITOR_COUNT = 500

/** Kinds as often as they occur: of 20 events 14 are page views. */
const KINDS = [
  ...new Array<string>(14).fill('page_view'),
  'button_click',
  'button_click',
  'search',
  'add_to_cart',
  'add_to_cart',
  'purchase',
]

/** `count` events of a shop's visitors, evenly over `[fromMs, toMs)` and ascending in time. */
export function generateEvents(
  prng: Prng,
  plan: { readonly count: number; readonly fromMs: number; readonly toMs: number },
): JsonEvent[] {
  const visitors = Array.from({ length: VISITOR_COUNT }, () => generateVisitor(prng))
  const stepMs = (plan.toMs - plan.fromMs) / plan.count
  return Array.from({ length: plan.count }, (_, index) => {
    const timeMs = Math.floor(plan.fromMs + (index + prng.unit()) * stepMs)
    // Half of the events come from the eighth of the visitors who come most.
    const visitor = visitors[Math.floor(prng.unit() ** 3 * VISITOR_COUNT)]
    return generateEvent(prng, visitor ?? prng.pick(visitors), timeMs)
  })
}

function generateVisitor(prng: Prng): Visitor {
  const [browser, os, deviceType] = prng.pick(CLIENTS)
  const [country, language] = prng.pick(PLACES)
  return {
    distinctId: prng.chance(0.3) ? `user_${100_000 + prng.below(900_000)}` : `anon-${prng.uuid()}`,
    sessionId: prng.uuid(),
    autoProperties: {
      $browser: text(browser),
      $os: text(os),
      $deviceType: text(deviceType),
      $country: text(country),
      $language: text(language),
    },
  }
}

function generateEvent(prng: Prng, visitor: Visitor, timeMs: number): JsonEvent {
  const kind = prng.pick(KINDS)
  const page = prng.pick(PAGES)
  return {
    eventId: prng.uuid(),
    kind,
    occurTime: new Date(timeMs).toISOString(),
    distinctId: visitor.distinctId,
    sessionId: visitor.sessionId,
    autoProperties: { ...pageProperties(prng, page, kind), ...visitor.autoProperties },
    customProperties: customProperties(prng, page, { kind, timeMs }),
  }
}

function pageProperties(prng: Prng, page: Page, kind: string): JsonProperties {
  const pathname = text(page.pathname)
  if (kind !== 'page_view') return { $pathname: pathname }
  const referrer = prng.pick(REFERRERS)
  return {
    $pathname: pathname,
    $title: text(page.title),
    ...(referrer === '' ? {} : { $referrer: text(referrer) }),
    $viewportWidth: int(360 + prng.below(1600)),
  }
}

function customProperties(
  prng: Prng,
  page: Page,
  event: { readonly kind: string; readonly timeMs: number },
): JsonProperties {
  const product = text(prng.pick(PRODUCTS))
  switch (event.kind) {
    case 'page_view':
      return { section: text(page.section), logged_in: bool(prng.chance(0.3)) }
    case 'button_click':
      return { button: text(prng.pick(BUTTONS)), position: double(round(prng.unit())) }
    case 'search':
      return { query: text(prng.pick(SEARCHES)), results: int(prng.below(80)) }
    case 'add_to_cart':
      return { product, price: double(round(prng.unit() * 900)), quantity: int(1 + prng.below(3)) }
    default:
      return {
        order_id: text(`o-${prng.uint32().toString(36)}`),
        product,
        total: double(round(prng.unit() * 2000)),
        items: int(1 + prng.below(5)),
        gift: bool(prng.chance(0.1)),
        deliver_by: { timestampValue: new Date(event.timeMs + 259_200_000).toISOString() },
      }
  }
}

const text = (value: string): JsonPropertyValue => ({ stringValue: value })
const int = (value: number): JsonPropertyValue => ({ intValue: String(value) })
const double = (value: number): JsonPropertyValue => ({ doubleValue: value })
const bool = (value: boolean): JsonPropertyValue => ({ boolValue: value })
const round = (value: number): number => Math.round(value * 100) / 100

import type { Prng } from '../../kernel/prng.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import type { WireEvent, WireIdentify, WireValue } from '../import/imported.ts'
import type { Visitor } from './audience.ts'

/** How far somebody is on the way to a purchase. */
export type Stage = 'visitor' | 'member' | 'trial' | 'customer'

/** What somebody does at one moment. */
export interface Deed {
  readonly timeMs: number
  readonly event: WireEvent
  readonly identify: WireIdentify | undefined
}

/** A visit to be made. */
export interface VisitPlan {
  readonly visitor: Visitor
  readonly stage: Stage
  readonly startMs: number
  readonly isFirst: boolean
  /** What ids are made of: the same run makes the same ids. */
  readonly name: string
}

type Properties = Readonly<Record<string, WireValue>>

const HOST = 'shop.example'
const PAGES = ['/', '/lamps', '/chairs', '/desks', '/journal/light', '/pricing', '/help', '/about'] as const
const PLANS = ['basic', 'studio', 'team'] as const

/** Counted up when the same words make other events, whose ids must be others, too. */
const RELEASE = 2

const PAGES_MAX = 12
const PAUSE_MS_MAX = 120_000

/** The next step of each stage: its kind, how likely somebody takes it in a visit, and where it leads. */
const STEPS = {
  visitor: { kind: 'signup', chance: 0.16, next: 'member' },
  member: { kind: 'trial_started', chance: 0.35, next: 'trial' },
  trial: { kind: 'purchase', chance: 0.3, next: 'customer' },
  customer: { kind: 'purchase', chance: 0.08, next: 'customer' },
} as const satisfies Record<Stage, { readonly kind: string; readonly chance: number; readonly next: Stage }>

/** Makes what somebody does in a visit: pages, and at most one step further. Answers where that leads. */
export function makeVisit(
  plan: VisitPlan,
  prng: Prng,
): { readonly deeds: readonly Deed[]; readonly stage: Stage } {
  const { visitor, startMs } = plan
  const deeds: Deed[] = []
  const pages = 1 + Math.floor(prng.unit() ** 2.2 * PAGES_MAX)
  let timeMs = startMs
  let stage = plan.stage
  const add = (kind: string, custom: Properties, auto: Properties, identify?: WireIdentify): void => {
    const event: WireEvent = {
      eventId: uuidV5(`generate\0${RELEASE}\0${plan.name}\0${deeds.length}`),
      kind,
      occurTime: new Date(timeMs).toISOString(),
      distinctId: stage === 'visitor' ? visitor.anonymousId : visitor.externalId,
      sessionId: uuidV5(`generate\0${RELEASE}\0${plan.name}`),
      autoProperties: { ...deviceOf(visitor), ...auto },
      customProperties: custom,
    }
    deeds.push({ timeMs, event, identify })
    timeMs += 1000 + prng.below(PAUSE_MS_MAX)
  }
  const step = STEPS[stage]
  const stepAt = prng.chance(step.chance * visitor.interest * 2) ? prng.below(pages) : -1
  for (let page = 0; page < pages; page++) {
    const path = prng.pick(PAGES)
    const arrival = page === 0 ? arrivalOf(plan) : {}
    add('page_view', {}, { ...pageOf(path, page === 0 ? visitor.utm : undefined), ...arrival })
    if (page !== stepAt) continue
    const identify = stage === 'visitor' ? identifyOf(visitor, prng) : undefined
    stage = step.next
    add(step.kind, detailsOf(step.kind, plan, prng), pageOf(path, undefined), identify)
  }
  return { deeds, stage }
}

function detailsOf(kind: string, { name }: VisitPlan, prng: Prng): Properties {
  const plan = prng.pick(PLANS)
  switch (kind) {
    case 'trial_started':
      return { plan_id: { stringValue: plan }, trial_id: { stringValue: uuidV5(`trial\0${name}`) } }
    case 'purchase':
      return {
        order_id: { stringValue: uuidV5(`order\0${name}`) },
        amount: { doubleValue: (500 + prng.below(20_000)) / 100 },
        currency: { stringValue: 'EUR' },
        plan: { stringValue: plan },
      }
    default:
      return { method: { stringValue: prng.pick(['email', 'google']) } }
  }
}

function identifyOf({ externalId, anonymousId, country, number }: Visitor, prng: Prng): WireIdentify {
  const traits = { email: `visitor-${number}@example.org`, country, plan: prng.pick(['free', 'free', 'pro']) }
  return { externalId, anonymousId, traits }
}

function deviceOf({ browser, browserVersion, os, deviceType, country, city, language }: Visitor): Properties {
  return texts({
    $browser: browser,
    $browserVersion: browserVersion,
    $os: os,
    $deviceType: deviceType,
    $country: country,
    $city: city,
    $language: language,
  })
}

function pageOf(path: string, utm: Visitor['utm']): Properties {
  const query = utm ? `?utm_source=${utm.source}&utm_medium=${utm.medium}&utm_campaign=${utm.campaign}` : ''
  return texts({ $url: `https://${HOST}${path}${query}`, $pathname: path, $hostname: HOST })
}

function arrivalOf({ visitor, isFirst }: VisitPlan): Properties {
  return isFirst && visitor.referrer !== '' ? texts({ $referrer: visitor.referrer }) : {}
}

function texts(values: Readonly<Record<string, string>>): Properties {
  return Object.fromEntries(Object.entries(values).map(([key, stringValue]) => [key, { stringValue }]))
}

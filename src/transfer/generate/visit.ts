import type { Prng } from '../../kernel/prng.ts'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import type { WireEvent, WireIdentify, WireValue } from '../import/imported.ts'
import type { Visitor } from './audience.ts'
import { personOf } from './person-names.ts'
import { landingOf, nextPage, type Path, STEP_PAGES, titleOf } from './site.ts'

/** A visitor's progress towards a purchase. */
export type Stage = 'visitor' | 'member' | 'trial' | 'customer'

/** An event of a visitor, and the Identify call that it triggers. */
export interface Action {
  readonly timeMs: number
  readonly event: WireEvent
  readonly identify: WireIdentify | undefined
}

/** A visit to generate. */
export interface VisitPlan {
  readonly visitor: Visitor
  readonly stage: Stage
  readonly startMs: number
  readonly isFirst: boolean
  /** Seed of the visit's ids, so that repeated runs create equal ids. */
  readonly name: string
}

type Properties = Readonly<Record<string, WireValue>>

const HOST = 'shop.example'
const PLANS = ['basic', 'studio', 'team'] as const

/** Increased whenever equal options yield different events, which then need different ids. */
const RELEASE = 3

const PAGES_MAX = 12
const PAUSE_MS_MAX = 120_000

/** Visitors who return come from where they first came from this often, else directly. */
const REFERRED_AGAIN = 0.3

/** The next step of each stage: its event kind, its probability in one visit, and the stage that it leads to. */
const STEPS = {
  visitor: { kind: 'signup', chance: 0.16, next: 'member' },
  member: { kind: 'trial_started', chance: 0.35, next: 'trial' },
  trial: { kind: 'purchase', chance: 0.3, next: 'customer' },
  customer: { kind: 'purchase', chance: 0.08, next: 'customer' },
} as const satisfies Record<Stage, { readonly kind: string; readonly chance: number; readonly next: Stage }>

/** Generates the actions of a visit, page views and at most one step, and returns the stage that follows. */
export function makeVisit(
  plan: VisitPlan,
  prng: Prng,
): { readonly actions: readonly Action[]; readonly stage: Stage } {
  const { visitor, startMs } = plan
  const actions: Action[] = []
  const pages = 1 + Math.floor(prng.unit() ** 2.2 * PAGES_MAX)
  let timeMs = startMs
  let stage = plan.stage
  const add = (kind: string, custom: Properties, auto: Properties, identify?: WireIdentify): void => {
    const event: WireEvent = {
      eventId: uuidV5(`generate\0${RELEASE}\0${plan.name}\0${actions.length}`),
      kind,
      occurTime: new Date(timeMs).toISOString(),
      distinctId: stage === 'visitor' ? visitor.anonymousId : visitor.externalId,
      sessionId: uuidV5(`generate\0${RELEASE}\0${plan.name}`),
      autoProperties: { ...deviceOf(visitor), ...auto },
      customProperties: custom,
    }
    actions.push({ timeMs, event, identify })
    timeMs += 1000 + prng.below(PAUSE_MS_MAX)
  }
  const step = STEPS[stage]
  const stepAt = prng.chance(step.chance * visitor.interest * 2) ? prng.below(pages) : -1
  const isReferred = plan.isFirst || prng.chance(REFERRED_AGAIN)
  let path = landingOf(visitor, isReferred, prng)
  for (let page = 0; page < pages; page++) {
    const arrival = page === 0 && isReferred
    if (page === stepAt) path = STEP_PAGES[step.kind]
    else if (page > 0) path = nextPage(path, prng)
    add(
      'page_view',
      {},
      { ...pageOf(path, arrival ? visitor.utm : undefined), ...(arrival ? arrivalOf(plan) : {}) },
    )
    if (page !== stepAt) continue
    const identify = stage === 'visitor' ? identifyOf(visitor, prng) : undefined
    stage = step.next
    add(step.kind, detailsOf(step.kind, plan, prng), pageOf(path, undefined), identify)
  }
  return { actions, stage }
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
  const traits = { ...personOf(number), country, plan: prng.pick(['free', 'free', 'pro']) }
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

function pageOf(path: Path, utm: Visitor['utm']): Properties {
  const query = utm ? `?utm_source=${utm.source}&utm_medium=${utm.medium}&utm_campaign=${utm.campaign}` : ''
  return texts({
    $url: `https://${HOST}${path}${query}`,
    $pathname: path,
    $hostname: HOST,
    $title: titleOf(path),
  })
}

function arrivalOf({ visitor }: VisitPlan): Properties {
  return visitor.referrer === '' ? {} : texts({ $referrer: visitor.referrer })
}

function texts(values: Readonly<Record<string, string>>): Properties {
  return Object.fromEntries(Object.entries(values).map(([key, stringValue]) => [key, { stringValue }]))
}

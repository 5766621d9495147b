import { create } from '@bufbuild/protobuf'
import { EventFilterSchema } from '../../src/contract/gen/common/v1/filter_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import type { Goal } from '../../src/query/goals/goal-store.ts'
import { type GeneratedWorld, generateWorld } from './generate-world.ts'
import type { ReferenceEvent, TypedValue } from './model.ts'

/** Values of each property that web dimensions read. */
export const WEB_VALUES: Readonly<Record<string, readonly string[]>> = {
  $pathname: ['/', '/', '/pricing', '/Pricing', '/docs/a', '/docs/a/b', '/100%_\\', '/\u00dcber', '', "/o'b"],
  $hostname: ['a.example', 'b.example', 'B.example', ''],
  $channel: ['Direct', 'Organic Search', 'Referral'],
  $referrerDomain: ['search.example', 'news.example', ''],
  $utmSource: ['letter', 'Letter', ''],
  $utmMedium: ['mail', 'cpc'],
  $utmCampaign: ['spring', '\u{1f600}', '\uffee'],
  $utmTerm: ['shoes', 'a\u0000b'],
  $utmContent: ['blue', 'tab\tline\nend'],
  $country: ['DE', 'FR', ''],
  $region: ['BE', 'BY'],
  $city: ['Berlin', 'K\u00f6ln', 'k\u00f6ln'],
  $browser: ['Firefox', 'Chrome'],
  $os: ['Linux', 'iOS'],
  $deviceType: ['desktop', 'mobile'],
  $language: ['de', 'en-GB'],
}

/** Kinds of events, most of them page views. */
export const WEB_KINDS = ['page_view', 'page_view', 'page_view', 'signup', 'Page_view', 'purchase'] as const

/** A world of visits with the goals of its project. */
export interface WebWorld extends GeneratedWorld {
  readonly goals: readonly Goal[]
}

/** A generated world whose events are those of web sites; the same for the same seed. */
export function generateWebWorld(seed: number): WebWorld {
  const generated = generateWorld(seed)
  const rng = new Prng(seed + 77)
  const dressed = new Map(generated.world.events.map((event) => [event, dress(rng, event)]))
  return {
    ...generated,
    world: { ...generated.world, events: [...dressed.values()] },
    copies: generated.copies.flatMap((event) => dressed.get(event) ?? []),
    goals: generateGoals(rng),
  }
}

function dress(rng: Prng, event: ReferenceEvent): ReferenceEvent {
  const texts = Object.entries(WEB_VALUES).flatMap(([name, values]): [string, TypedValue][] =>
    rng.chance(0.75) ? [[name, { type: 'string', value: rng.pick(values) }]] : [],
  )
  const amounts: readonly TypedValue[] = [
    { type: 'int', value: 3n },
    { type: 'double', value: 0.25 },
    { type: 'string', value: '2.5' },
    { type: 'string', value: 'n/a' },
    { type: 'double', value: -1.75 },
  ]
  const amount: [string, TypedValue][] = rng.chance(0.6) ? [['amount', rng.pick(amounts)]] : []
  return {
    ...event,
    kind: rng.pick(WEB_KINDS),
    properties: new Map([...texts, ...amount, ...generateMark(rng)]),
  }
}

/** Only a boolean marks a bot. */
function generateMark(rng: Prng): readonly [string, TypedValue][] {
  if (rng.chance(0.03)) return [['$bot', { type: 'bool', value: true }]]
  if (rng.chance(0.05)) return [['$bot', { type: 'bool', value: false }]]
  return rng.chance(0.05) ? [['$bot', { type: 'string', value: 'true' }]] : []
}

const TARGETS: readonly Goal['target'][] = [
  { case: 'event', value: eventFilter('signup') },
  { case: 'event', value: eventFilter('purchase') },
  { case: 'event', value: eventFilter('nowhere') },
  { case: 'pagePattern', value: '/docs/*' },
  { case: 'pagePattern', value: '/100%_\\' },
  { case: 'pagePattern', value: '*a' },
  { case: 'pagePattern', value: '/pricing' },
]

function eventFilter(kind: string): Extract<Goal['target'], { case: 'event' }>['value'] {
  return create(EventFilterSchema, { kind })
}

function generateGoals(rng: Prng): readonly Goal[] {
  return TARGETS.filter(() => rng.chance(0.7)).map((target, index) => ({
    id: rng.uuid(),
    name: rng.pick(['Sign-up', 'sign-up', 'Docs', `Goal ${index}`]),
    target,
    valueProperty: rng.pick(['', 'amount', 'amount', 'nowhere']),
    createdMs: index,
    updatedMs: index,
  }))
}

import { Prng } from '../../kernel/prng.ts'

/** A visitor of the fictional shop. */
export interface Visitor {
  readonly number: number
  /** Distinct id of their browser before sign-up. */
  readonly anonymousId: string
  readonly externalId: string
  readonly country: string
  readonly city: string
  readonly language: string
  readonly browser: string
  readonly browserVersion: string
  readonly os: string
  readonly deviceType: string
  /** Referrer of their first visit. */
  readonly referrer: string
  readonly utm: { readonly source: string; readonly medium: string; readonly campaign: string } | undefined
  /** Time of their first visit as a share of the range; negative for visitors from before it. */
  readonly arrival: number
  /** Relative frequency of their visits. */
  readonly activity: number
  /** Probability factor of each step towards a purchase. */
  readonly interest: number
}

/** Cities of visitors, each listed as often as it is drawn. */
const PLACES = [
  ['US', 'New York', 'en-US'],
  ['US', 'Austin', 'en-US'],
  ['US', 'Chicago', 'en-US'],
  ['US', 'Seattle', 'en-US'],
  ['DE', 'Berlin', 'de-DE'],
  ['DE', 'Hamburg', 'de-DE'],
  ['DE', 'Munich', 'de-DE'],
  ['GB', 'London', 'en-GB'],
  ['GB', 'Leeds', 'en-GB'],
  ['FR', 'Lyon', 'fr-FR'],
  ['NL', 'Utrecht', 'nl-NL'],
  ['IN', 'Pune', 'en-IN'],
  ['BR', 'Recife', 'pt-BR'],
  ['JP', 'Osaka', 'ja-JP'],
] as const

/** Browser, system and device, as often as they are listed. */
const CLIENTS = [
  ['Chrome', 'Windows', 'desktop'],
  ['Chrome', 'Windows', 'desktop'],
  ['Chrome', 'Windows', 'desktop'],
  ['Chrome', 'Android', 'mobile'],
  ['Chrome', 'Android', 'mobile'],
  ['Chrome', 'macOS', 'desktop'],
  ['Safari', 'iOS', 'mobile'],
  ['Safari', 'iOS', 'mobile'],
  ['Safari', 'iOS', 'mobile'],
  ['Safari', 'macOS', 'desktop'],
  ['Firefox', 'Linux', 'desktop'],
  ['Edge', 'Windows', 'desktop'],
  ['Safari', 'iPadOS', 'tablet'],
] as const

const REFERRERS = [
  '',
  '',
  '',
  'https://www.google.com/',
  'https://www.google.com/',
  'https://www.google.com/',
  'https://www.google.com/',
  'https://www.bing.com/',
  'https://duckduckgo.com/',
  'https://t.co/x1',
  'https://www.reddit.com/r/interiors/',
  'https://news.example.org/lamps',
] as const

const CAMPAIGNS = [
  { source: 'newsletter', medium: 'email', campaign: 'spring' },
  { source: 'newsletter', medium: 'email', campaign: 'spring' },
  { source: 'google', medium: 'cpc', campaign: 'lamps' },
  { source: 'google', medium: 'cpc', campaign: 'lamps' },
  { source: 'instagram', medium: 'social', campaign: 'studio' },
] as const

/** A quarter of the visitors arrive through a campaign; a third arrived before the range. */
const CAMPAIGN_SHARE = 0.25
const BEFORE_SHARE = 0.33

/** Creates the visitor with a number; deterministic for a seed and a number. */
export function createVisitor(seed: number, number: number): Visitor {
  const prng = new Prng(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b))
  const [country, city, language] = prng.pick(PLACES)
  const [browser, os, deviceType] = prng.pick(CLIENTS)
  const isOfCampaign = prng.chance(CAMPAIGN_SHARE)
  const utm = isOfCampaign ? prng.pick(CAMPAIGNS) : undefined
  return {
    number,
    anonymousId: `anon-${prng.uuid()}`,
    externalId: `user-${seed}-${number}`,
    country,
    city,
    language,
    browser,
    browserVersion: `${120 + prng.below(12)}.0`,
    os,
    deviceType,
    referrer: isOfCampaign ? '' : prng.pick(REFERRERS),
    utm,
    arrival: prng.chance(BEFORE_SHARE) ? -prng.unit() : prng.unit(),
    // Most visitors rarely return; a few return very often.
    activity: 0.2 + prng.unit() ** 4 * 6,
    interest: prng.unit(),
  }
}

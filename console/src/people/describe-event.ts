import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { isUuid } from '@domain/uuid.ts'
import { autoText } from './visits.ts'

/** Names of properties with an amount of money, the most telling first. */
const AMOUNTS = ['revenue', 'total', 'amount', 'price', 'value'] as const

/** Words of a description. */
const WORDS_MAX = 2

/** The properties that Mixpanel's SDKs add to every event by themselves, for example `mp_lib`, begin like this. */
const ADDED_BY_MIXPANEL = 'mp_'

/**
 * An event in a few words: the page of a page view, else its amount and first texts, else its page. The name that an SDK gave the
 * event, which stands beside them already, what an SDK says about itself, and generated IDs are none of these texts.
 */
export function describeEvent(
  event: ActivityEvent,
  formatMoney: (amount: number, currency: string) => string,
): string {
  const page = autoText(event, '$pathname') || autoText(event, '$url')
  if (event.kind === 'page_view' && page !== '') return page
  const own = event.customProperties ?? {}
  const amount = AMOUNTS.find((name) => typeof own[name] === 'number')
  const currency = typeof own.currency === 'string' ? own.currency : ''
  const money = amount ? [formatMoney(Number(own[amount]), currency)] : []
  const texts = Object.entries(own)
    .filter(([name]) => name !== 'currency' && !name.startsWith(ADDED_BY_MIXPANEL))
    .flatMap(([, value]) => (typeof value === 'string' ? value : []))
    .filter((value) => value !== '' && value !== event.displayName && !isUuid(value))
  const words = [...money, ...texts].slice(0, WORDS_MAX)
  return words.length > 0 ? words.join(' \u00b7 ') : page
}

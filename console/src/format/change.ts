import { sizeOfChange } from '@domain/charts/change.ts'
import { t } from '../i18n/translate.ts'
import type { Unit } from './unit.ts'
import { formats } from './values.ts'

/** The direction of a value that is good news. */
export type GoodDirection = 'up' | 'down' | 'neither'

/** The change of a value since a previous period. */
export interface Change {
  readonly direction: 'up' | 'down' | 'flat' | 'new'
  readonly tone: 'good' | 'bad' | 'neutral'
  /** The size of the change without its sign: `9.6%`, `1.2 pp`. */
  readonly text: string
  /** The change for a screen reader. */
  readonly words: string
  /** The change as a share of the previous value, or as the difference of two rates; `new` from 0. */
  readonly by: number | 'new'
  readonly unit: 'percent' | 'pp'
  readonly good: GoodDirection
}

/** The change of a value; a rate changes by percentage points. `undefined` where a value is unknown. */
export function changeOf(
  value: number | null | undefined,
  previous: number | null | undefined,
  { unit, good }: { readonly unit: Unit; readonly good: GoodDirection },
): Change | undefined {
  if (typeof value !== 'number' || typeof previous !== 'number') return undefined
  const size = sizeOfChange(value, previous, { unit, formats })
  const raw = { good, unit: unit === 'percent' ? 'pp' : 'percent' } as const
  if (size === undefined)
    return { ...raw, direction: 'new', tone: 'neutral', text: t('ui.new'), words: t('ui.new'), by: 'new' }
  const by = Math.sign(value - previous) * size.by
  if (size.isNone)
    return { ...raw, direction: 'flat', tone: 'neutral', text: size.text, words: t('ui.unchanged'), by: 0 }
  const direction = value > previous ? 'up' : 'down'
  const tone = good === 'neither' ? 'neutral' : direction === good ? 'good' : 'bad'
  const amount = t(direction === 'up' ? 'ui.up' : 'ui.down', { amount: size.text })
  const words = [amount, ...(tone === 'neutral' ? [] : [t(tone === 'good' ? 'ui.good' : 'ui.bad')])].join(
    ', ',
  )
  return { ...raw, direction, tone, text: size.text, words, by }
}

const SIGNS = { up: '+', down: '\u2212', flat: '', new: '' } as const

/** A change with its sign: `+9.6%`. */
export function signChange({ direction, text }: Change): string {
  return `${SIGNS[direction]}${text}`
}

import { SERIES_COLORS } from '@domain/charts/series-keys.ts'
import type { ToneName } from '@domain/thresholds.ts'
import type { MessageKey } from '../i18n/translate.ts'

/** The colour of a slot of the palette, from 0. */
export function seriesColor(slot: number): string {
  return slot < SERIES_COLORS ? `var(--series-${slot + 1})` : 'var(--text-3)'
}

/**
 * Gives series their slots of the palette: a series keeps its slot while it lives, whichever others come and go, and a new one
 * takes the lowest free slot.
 */
export function createColorSlots(): (keys: readonly string[]) => ReadonlyMap<string, number> {
  let slots: ReadonlyMap<string, number> = new Map()
  return (keys) => {
    const kept = new Map(keys.flatMap((key) => pairOf(key, slots.get(key))))
    const taken = new Set(kept.values())
    for (const key of keys) {
      if (kept.has(key)) continue
      const slot = lowestFree(taken)
      taken.add(slot)
      kept.set(key, slot)
    }
    slots = kept
    return slots
  }
}

function pairOf(key: string, slot: number | undefined): readonly (readonly [string, number])[] {
  return slot === undefined ? [] : [[key, slot]]
}

function lowestFree(taken: ReadonlySet<number>): number {
  let slot = 0
  while (taken.has(slot)) slot++
  return slot
}

/** The messages with the names of tones: colour must not be the only cue. */
export const TONE_NAMES = {
  good: 'chart.good',
  warn: 'chart.warn',
  bad: 'chart.bad',
  neutral: 'chart.neutral',
} as const satisfies Record<ToneName, MessageKey>

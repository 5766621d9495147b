import { createSignal } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { COLUMNS, fit, type Nudge, nudge, type Place, type PlacedTile, settle } from './grid-layout.ts'

/** A change of the position or of the size of a tile. */
export type Change = 'move' | 'resize'

/** Steps to the right and down; negative ones go back. */
export interface Steps {
  readonly x: number
  readonly y: number
}

/** Tiles that are being arranged. */
export interface Arrangement {
  readonly tiles: () => readonly PlacedTile[]
  /** The last change in words, for screen readers. */
  readonly announcement: () => string
  readonly isHeld: (id: string) => boolean
  /** Holds a tile: until it is released, the others make room for it. */
  readonly hold: (id: string, title: string) => void
  /** Changes the held tile by steps from its current position. */
  readonly step: (change: Change, steps: Steps) => void
  /** Changes the held tile by steps from where it was picked up. */
  readonly drag: (change: Change, steps: Steps) => void
  readonly release: () => void
  /** Changes a tile by one step that a menu names. */
  readonly nudge: (tile: { readonly id: string; readonly title: string }, step: Nudge) => void
}

interface Hold {
  readonly title: string
  /** The tiles when the tile was picked up. */
  readonly base: readonly PlacedTile[]
  readonly start: PlacedTile
  readonly now: PlacedTile
}

/** Starts with the current positions. */
export function createArrangement(initial: readonly PlacedTile[]): Arrangement {
  const [tiles, setTiles] = createSignal(initial)
  const [hold, setHold] = createSignal<Hold>()
  const [announcement, setAnnouncement] = createSignal('')
  const put = (held: Hold, place: Place): void => {
    const now = { id: held.start.id, ...fit(place) }
    setHold({ ...held, now })
    setTiles(settle(held.base, now))
    setAnnouncement(describe(held.title, now))
  }
  return {
    tiles,
    announcement,
    isHeld: (id) => hold()?.start.id === id,
    hold: (id, title) => {
      const start = tiles().find((tile) => tile.id === id)
      if (start) setHold({ title, base: tiles(), start, now: start })
    },
    step: (change, steps) => {
      const held = hold()
      if (held) put(held, shift(held.now, change, steps))
    },
    drag: (change, steps) => {
      const held = hold()
      if (held) put(held, shift(held.start, change, steps))
    },
    release: () => {
      setHold(undefined)
      setTiles(settle(tiles()))
    },
    nudge: ({ id, title }, step) => {
      const changed = nudge(tiles(), id, step)
      const now = changed.find((tile) => tile.id === id)
      setTiles(changed)
      if (now) setAnnouncement(describe(title, now))
    },
  }
}

function shift({ x, y, w, h }: Place, change: Change, by: Steps): Place {
  if (change === 'move') return { x: x + by.x, y: y + by.y, w, h }
  return { x, y, w: Math.min(w + by.x, COLUMNS - x), h: h + by.y }
}

function describe(name: string, { x, y, w, h }: Place): string {
  const place = { name, first: x + 1, last: x + w, columns: COLUMNS, row: y + 1, height: h }
  return t('dashboards.tilePlace', place)
}

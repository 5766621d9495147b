import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { readPreference, writePreference } from '../context/preference.ts'
import { isDrawerBesidePage } from '../ui/open-drawers.ts'

/** Up to this width there is no room for the side bar beside a page. */
const NARROW = '(max-width: 1279px)'
/** Up to this width there is none beside a page with a drawer. */
const NARROW_WITH_DRAWER = '(max-width: 1599px)'

/** The side bar as a rail of icons. */
export interface Rail {
  readonly isRail: () => boolean
  /** Folds the side bar, or unfolds it. */
  readonly fold: () => void
}

/**
 * Folds the side bar by choice, which is kept for later visits, and by itself while there is no room for it. A side bar that
 * was unfolded all the same stays so until there is room again.
 */
export function createRail(): Rail {
  const [isChosen, setChosen] = createSignal(readPreference('sidebar') === 'folded')
  const [isOpenAnyway, setOpenAnyway] = createSignal(false)
  const [isNarrow, isNarrowWithDrawer] = [createMatch(NARROW), createMatch(NARROW_WITH_DRAWER)]
  const isTight = createMemo(() => isNarrow() || (isNarrowWithDrawer() && isDrawerBesidePage()))
  createEffect(on(isTight, () => setOpenAnyway(false), { defer: true }))
  return {
    isRail: () => (isTight() ? !isOpenAnyway() : isChosen()),
    fold: () => {
      if (isTight()) return void setOpenAnyway(!isOpenAnyway())
      setChosen(!isChosen())
      writePreference('sidebar', isChosen() ? 'folded' : 'open')
    },
  }
}

function createMatch(query: string): () => boolean {
  const media = matchMedia(query)
  const [matches, setMatches] = createSignal(media.matches)
  const follow = (event: MediaQueryListEvent): void => void setMatches(event.matches)
  media.addEventListener('change', follow)
  onCleanup(() => media.removeEventListener('change', follow))
  return matches
}

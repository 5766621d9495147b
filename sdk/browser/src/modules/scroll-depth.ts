import type { Methods } from '../api.ts'

const DEPTHS = [25, 50, 75, 100]

/** Records how far down a page the visitor scrolls: once for each quarter of each view. */
export function start({ track }: Pick<Methods, 'track'>): void {
  let path = ''
  let reached = 0
  const look = (): void => {
    const current = location.pathname + location.search
    if (path !== current) reached = 0
    path = current
    const { scrollHeight } = document.documentElement
    // A browser may stop a fraction of a pixel before the end.
    const percent = ((scrollY + innerHeight + 1) / scrollHeight) * 100
    for (const depth of DEPTHS) {
      if (depth <= reached || depth > percent) continue
      reached = depth
      track('scroll', { percent: depth, scroll_y: Math.max(0, Math.round(scrollY)) })
    }
  }
  addEventListener('scroll', look, { passive: true })
}

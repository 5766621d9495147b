import type { Page } from 'playwright-core'
import { sleep } from '../../src/kernel/clock.ts'

/** The longest time from an interaction to the next frame that people still call immediate. */
const INTERACTION_MS_MAX = 100

/** The browser reports shorter interactions only as such. */
const INTERACTION_MS_MIN = 16
const SETTLE_MS = 300

/** What a page took for one kind of interaction, in milliseconds. */
export interface Response {
  /** From an interaction to the next frame, the longest one; {@link INTERACTION_MS_MIN} when all were shorter. */
  readonly interactionMs: number
  /** Between two frames, at most. */
  readonly frameMs: number
  /** The longest answer of the service. */
  readonly answerMs: number
}

/** Records in the page the durations of interactions and the times between frames; {@link respond} reads them. */
export const WATCH_INTERACTIONS = `(() => {
  const felt = (globalThis.felt = { interactionMs: 0, frameMs: 0 })
  new PerformanceObserver((list) => list.getEntries().forEach(({ interactionId, duration }) => {
    if (interactionId) felt.interactionMs = Math.max(felt.interactionMs, duration)
  })).observe({ type: 'event', durationThreshold: ${INTERACTION_MS_MIN}, buffered: true })
  let before = performance.now()
  const frame = (now) => {
    felt.frameMs = Math.max(felt.frameMs, now - before)
    before = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
})()`

/** Does something in a page that {@link WATCH_INTERACTIONS} observes. */
export async function respond(page: Page, act: () => Promise<void>): Promise<Response> {
  await page.evaluate(`(() => {
    Object.assign(globalThis.felt, { interactionMs: 0, frameMs: 0 })
    performance.clearResourceTimings()
  })()`)
  await act()
  await sleep(SETTLE_MS)
  const felt = (await page.evaluate(`({
    ...globalThis.felt,
    answerMs: Math.max(0, ...performance.getEntriesByType('resource').map(({ duration }) => duration)),
  })`)) as Response
  return { ...felt, interactionMs: Math.max(INTERACTION_MS_MIN, felt.interactionMs) }
}

/** One line: the longest times of some rounds, and whether they keep within the bar. */
export function describeResponses(what: string, rounds: readonly Response[]): string {
  const longest = (of: (response: Response) => number): number => Math.round(Math.max(...rounds.map(of)))
  const interactionMs = longest((response) => response.interactionMs)
  const verdict = interactionMs <= INTERACTION_MS_MAX ? 'within' : 'BEYOND'
  return `${what.padEnd(24)} next paint after ${String(interactionMs).padStart(4)} ms, ${verdict} ${INTERACTION_MS_MAX}; longest frame ${longest(({ frameMs }) => frameMs)} ms; longest answer ${longest(({ answerMs }) => answerMs)} ms\n`
}

import { lazy as lazyOnce } from 'solid-js'

/** The pause before the second attempt to load a part. Each later one is twice as long, up to the longest. */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** Runs whenever a part could not be loaded: nothing, where models load without a page. */
let tell = (): void => undefined

/** Sets the function that tells the reader that a part could not be loaded. */
export function onMissingPart(run: () => void): void {
  tell = run
}

/**
 * A component whose code loads when it is first drawn. A load that fails is repeated until it succeeds: an error while the page
 * is drawn would leave it waiting for good.
 */
export const lazy: typeof lazyOnce = (load) => lazyOnce(async () => await insist(load))

async function insist<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await load()
    } catch {
      tell()
      await pause(pauseMs)
    }
  }
}

/** Ends early when the browser is online again. */
async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  addEventListener('online', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}

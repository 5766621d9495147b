import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../harness/chromium.ts'
import { startEmbeddedRig } from './embedded-rig.ts'
import type { Rig } from './rig.ts'
import { BROWSER_SDKS, runBrowserSdkFaults } from './sdks/browser-sdks.ts'
import { NOTHING_FOUND } from './verify.ts'

/** Another run: `FAULT_SEED=7 npx vitest run test/faults`; a long one: `npm run faults -- --part browser-sdks`. */
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32))
const shown = `FAULT_SEED=${seed}`

/** Several restarts of a whole service, and the retries of SDKs whose delays double. */
const TEST_MS_MAX = 480_000

describe.skipIf(!hasChromium())('SDKs in a browser', () => {
  let rig: Rig

  beforeAll(async () => {
    rig = await startEmbeddedRig()
  })

  afterAll(async () => {
    await rig?.destroy()
  })

  test(
    'that send again after lost answers and killed processes lose nothing that was acknowledged, and all counts once',
    async () => {
      const kinds = ['killEdge', 'killStore', 'killEverything']
      const summary = await runBrowserSdkFaults(rig, { seed, seconds: 0, kinds })
      expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND, rounds: 1 })
      // Mixpanel's SDK discards what it was sending when a connection breaks, PostHog's after the fourth; all others deliver everything.
      const { mixpanel_js, posthog_js, ...others } = summary.givenUp
      expect(others, shown).toEqual({})
      expect([mixpanel_js?.otherwise ?? 0, posthog_js?.otherwise ?? 0], shown).toEqual([0, 0])
      for (const name of Object.keys(BROWSER_SDKS))
        expect(summary.stored[name], `${name} ${shown}`).toBeGreaterThan(0)
    },
    TEST_MS_MAX,
  )
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedRig } from './embedded-rig.ts'
import type { Rig } from './rig.ts'
import { NODE_SDKS } from './sdks/node-sdks.ts'
import { runSdkFaults } from './sdks/run-sdk-faults.ts'
import { NOTHING_FOUND } from './verify.ts'

/** Another run: `FAULT_SEED=7 npx vitest run test/faults`; a long one: `npm run faults -- --part sdks`. */
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32))
const shown = `FAULT_SEED=${seed}`

/** Several restarts of a whole service, and the retries of SDKs whose delays double. */
const TEST_MS_MAX = 480_000

let rig: Rig

beforeAll(async () => {
  rig = await startEmbeddedRig()
})

afterAll(async () => {
  await rig?.destroy()
})

test(
  'SDKs that send again after lost answers and killed processes lose nothing that was acknowledged, and all counts once',
  async () => {
    const summary = await runSdkFaults(rig, {
      seed,
      seconds: 0,
      kinds: ['killEdge', 'killStore', 'killEverything'],
    })
    expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND, rounds: 1 })
    // Amplitude's SDK drops what it was sending when a connection breaks; every other one delivers all.
    const { amplitude, ...others } = summary.givenUp
    expect(others, shown).toEqual({})
    expect(amplitude?.otherwise ?? 0, shown).toBe(0)
    for (const name of Object.keys(NODE_SDKS)) expect(summary.stored[name], shown).toBeGreaterThan(0)
    expect(summary.requests, shown).toMatchObject({
      'answer lost': expect.any(Number),
      'answer cut': expect.any(Number),
    })
  },
  TEST_MS_MAX,
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { canMount } from '../harness/small-disk.ts'
import { startEmbeddedRig } from './embedded-rig.ts'
import { runFailingDisk } from './failing-disk.ts'
import { runFullDisk } from './full-disk.ts'
import { runHangingDisk } from './hanging-disk.ts'
import { canMakeDisk } from './loop-disk.ts'
import { runOutage } from './outage.ts'
import { startProxiedRig } from './proxied-rig.ts'
import type { Rig } from './rig.ts'
import { runFaults } from './run-faults.ts'
import { Traffic } from './traffic.ts'
import { NOTHING_FOUND } from './verify.ts'

/** Another run: `FAULT_SEED=7 npx vitest run test/faults`; a long one: `npm run faults`. */
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32))
const shown = `FAULT_SEED=${seed}`

/** Several waits of a slow machine, each with a limit and a message of its own. */
const DISK_TEST_MS_MAX = 240_000

/** An INSERT that hangs holds its rows; beyond that the edge keeps nothing in memory. */
const GROWTH_MIB_MAX = 64

let rigs: { readonly embedded: Rig; readonly proxied: Rig }
let traffic: { readonly embedded: Traffic; readonly proxied: Traffic }

beforeAll(async () => {
  const [embedded, proxied] = await Promise.all([startEmbeddedRig(), startProxiedRig()])
  rigs = { embedded, proxied }
  traffic = { embedded: new Traffic(embedded, seed), proxied: new Traffic(proxied, seed) }
})

afterAll(async () => {
  await Promise.all([rigs.embedded.destroy(), rigs.proxied.destroy()])
})

test.concurrent.each([
  [
    'processes that die or hang',
    'embedded',
    ['killEdge', 'jumpClock', 'killStore', 'freezeStore', 'jumpClock', 'killEverything'],
  ],
  [
    'a ClickHouse whose connections and answers break',
    'proxied',
    ['cutRequest', 'cutAnswer', 'truncateAnswer', 'replaceAnswer', 'answer503', 'killServer', 'killQuery'],
  ],
] as const)('%s under load: every acknowledged event is stored, and counted once', async (_, name, kinds) => {
  const summary = await runFaults(rigs[name], traffic[name], { seed, seconds: 0, kinds })
  expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND, rounds: 1 })
  expect(summary.acknowledged, shown).toBeGreaterThan(0)
})

test('a ClickHouse outage causes no client errors, no memory growth of the edge and no loss', async () => {
  const run = { seed, seconds: 2, measureSeconds: 1 }
  const summary = await runOutage(rigs.embedded, traffic.embedded, run)
  expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND })
  expect(Object.keys(summary.requests), shown).toEqual(['200'])
  expect(summary.rssMibMax - summary.rssMibBefore, shown).toBeLessThan(GROWTH_MIB_MAX)
})

test.runIf(canMakeDisk())(
  'a journal disk that fails ends the edge, and no acknowledged event is lost',
  async () => {
    const summary = await onItsOwn((rig, own) => runFailingDisk(rig, own, { seed, failures: 1 }))
    expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND, failures: 1 })
  },
  DISK_TEST_MS_MAX,
)

test.runIf(canMakeDisk())(
  'requests do not wait for a journal disk that hangs, and it is used again once it responds',
  async () => {
    const summary = await onItsOwn((rig, own) => runHangingDisk(rig, own, seed))
    expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND, refusalsWithoutRetryAfter: 0, ended: [] })
    const endings = ['200', '429 resource_exhausted', '503 unavailable']
    expect(Object.keys(summary.requests).sort(), shown).toEqual(endings)
  },
  DISK_TEST_MS_MAX,
)

test.runIf(canMount())(
  'batches are refused while the journal disk is full, and accepted once it has room',
  async () => {
    const summary = await onItsOwn((rig, own) => runFullDisk(rig, own, seed))
    expect(summary, shown).toMatchObject({ findings: NOTHING_FOUND, refusalsWithoutRetryAfter: 0 })
    expect(Object.keys(summary.requests).sort(), shown).toEqual(['200', '429 resource_exhausted'])
  },
  DISK_TEST_MS_MAX,
)

/** Runs with its own service: a test that fails half way loses its disk, which later tests must not need. */
async function onItsOwn<T>(work: (rig: Rig, traffic: Traffic) => Promise<T>): Promise<T> {
  const rig = await startEmbeddedRig()
  try {
    return await work(rig, new Traffic(rig, seed))
  } finally {
    await rig.destroy()
  }
}

import { monotonicMs, sleep } from '../../../src/kernel/clock.ts'
import { Prng } from '../../../src/kernel/prng.ts'
import { waitUntilDrained, waitUntilReady } from '../drain.ts'
import type { LedgerCounts } from '../ledger.ts'
import type { Rig } from '../rig.ts'
import { shuffle, strike } from '../strike.ts'
import { type Findings, NOTHING_FOUND } from '../verify.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { NODE_SDKS, type OpenSdk, type StartSdk } from './node-sdks.ts'
import { SdkLedger } from './sdk-ledger.ts'
import { checkSdks } from './verify-sdks.ts'

/** A run of random faults while SDKs of other vendors send. */
export interface SdkFaultRun {
  readonly seed: number
  /** Rounds begin until this is over; every round is checked. */
  readonly seconds: number
  /** Faults of a round; those that kill when left out. */
  readonly kinds?: readonly string[]
  readonly sdks?: Readonly<Record<string, StartSdk>>
}

/** The course of a run and its findings. */
export interface SdkFaultSummary extends LedgerCounts {
  readonly findings: Findings
  readonly rounds: number
  readonly restarts: number
  /** Requests by their fate at the proxy. */
  readonly requests: Readonly<Record<string, number>>
  readonly stored: Readonly<Record<string, number>>
  /** Events that an SDK gave up before the service acknowledged them. */
  readonly givenUp: ReturnType<SdkLedger['givenUp']>
}

/** Everything that is killed and comes back through the supervisor, or with it. */
export const KILLS = ['killEdge', 'killStore', 'killQuery', 'killSupervisor', 'killEverything'] as const

/** How often each SDK gets an event. */
const EVENT_MS = 40

/**
 * Kills processes of a service again and again while SDKs send, each of which repeats what it believes to be lost. Each round ends
 * when every SDK has delivered or given up all it had; then everything since the start is checked.
 */
export async function runSdkFaults(rig: Rig, run: SdkFaultRun): Promise<SdkFaultSummary> {
  const prng = new Prng(run.seed)
  const ledger = new SdkLedger()
  const sdks = run.sdks ?? NODE_SDKS
  const names = Object.keys(sdks)
  const proxy = await startFaultyProxy({
    target: rig.service.url,
    prng: new Prng(prng.uint32()),
    observe: (exchanged) => ledger.observe(exchanged),
  })
  const endMs = monotonicMs() + run.seconds * 1000
  try {
    for (let rounds = 1; ; rounds++) {
      const kinds = shuffle(run.kinds ?? KILLS, prng)
      await whileSdksSend({ sdks, ledger, url: proxy.url }, async () => {
        for (const kind of kinds) await strike(rig, kind, prng)
      })
      await waitUntilReady(rig.service)
      await waitUntilDrained(rig.service)
      const { findings, stored } = await checkSdks(rig.service, rig.endpoint(), { ledger, names })
      const isWrong = JSON.stringify(findings) !== JSON.stringify(NOTHING_FOUND)
      if (!isWrong && monotonicMs() < endMs) continue
      const requests = Object.fromEntries(proxy.fates)
      const givenUp = ledger.givenUp()
      return {
        ...ledger.ledger.counts(),
        findings,
        rounds,
        restarts: rig.kills.count,
        requests,
        stored,
        givenUp,
      }
    }
  } finally {
    await proxy.stop()
  }
}

interface Senders {
  readonly sdks: Readonly<Record<string, StartSdk>>
  readonly ledger: SdkLedger
  readonly url: string
}

async function whileSdksSend(senders: Senders, work: () => Promise<void>): Promise<void> {
  let isRunning = true
  const lanes = Object.entries(senders.sdks).map(async ([name, start]) => {
    const sdk = await start(senders.url)
    while (isRunning) {
      sdk.send(senders.ledger.open(name))
      await sleep(EVENT_MS)
    }
    await closeSdk(name, sdk)
  })
  try {
    await work()
  } finally {
    isRunning = false
    await Promise.all(lanes)
  }
}

async function closeSdk(name: string, sdk: OpenSdk): Promise<void> {
  try {
    await sdk.close()
  } catch (error) {
    throw new Error(`${name} did not end`, { cause: error })
  }
}

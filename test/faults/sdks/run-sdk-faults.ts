import { monotonicMs, sleep } from '../../../src/kernel/clock.ts'
import { Prng } from '../../../src/kernel/prng.ts'
import { waitFor } from '../../harness/wait.ts'
import { waitUntilDrained, waitUntilReady } from '../drain.ts'
import type { LedgerCounts } from '../ledger.ts'
import type { Rig } from '../rig.ts'
import { shuffle, strike } from '../strike.ts'
import { type Findings, NOTHING_FOUND } from '../verify.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { NODE_FLEET, type OpenSdk, type SdkFleet } from './node-sdks.ts'
import { SdkLedger } from './sdk-ledger.ts'
import { checkSdks } from './verify-sdks.ts'

/** A run of random faults while SDKs of other vendors send. */
export interface SdkFaultRun {
  readonly seed: number
  /** Rounds begin until this is over; every round is checked. */
  readonly seconds: number
  /** Faults of a round; those that kill when left out. */
  readonly kinds?: readonly string[]
  /** Those for Node.js when left out. */
  readonly fleet?: SdkFleet
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
  /** Events that an SDK sent again although the service had acknowledged them. */
  readonly repeated: ReturnType<SdkLedger['repeated']>
}

/** Everything that is killed and comes back through the supervisor, or with it. */
export const KILLS = ['killEdge', 'killStore', 'killQuery', 'killSupervisor', 'killEverything'] as const

/** One answer in ten is lost. */
const REPEATED_MS_MAX = 120_000

/**
 * Kills processes of a service again and again while SDKs send, each of which repeats what it believes to be lost. Each round ends
 * when every SDK has delivered or given up all it had; then everything since the start is checked.
 */
export async function runSdkFaults(rig: Rig, run: SdkFaultRun): Promise<SdkFaultSummary> {
  const prng = new Prng(run.seed)
  const ledger = new SdkLedger()
  const fleet = run.fleet ?? NODE_FLEET
  const proxy = await startFaultyProxy({
    target: rig.service.url,
    prng: new Prng(prng.uint32()),
    observe: (exchanged) => ledger.observe(exchanged),
  })
  const endMs = monotonicMs() + run.seconds * 1000
  try {
    for (let rounds = 1; ; rounds++) {
      const kinds = shuffle(run.kinds ?? KILLS, prng)
      await whileSdksSend({ fleet, ledger, url: proxy.url }, async () => {
        for (const kind of kinds) await strike(rig, kind, prng)
        await waitUntilRepeated(ledger, fleet.repeating)
      })
      await waitUntilReady(rig.service)
      await waitUntilDrained(rig.service)
      const { findings, stored } = await checkSdks(rig.service, rig.endpoint(), { ledger, fleet })
      const isWrong = JSON.stringify(findings) !== JSON.stringify(NOTHING_FOUND)
      if (!isWrong && monotonicMs() < endMs) continue
      const requests = Object.fromEntries(proxy.fates)
      return {
        ...ledger.ledger.counts(),
        findings,
        rounds,
        restarts: rig.kills.count,
        requests,
        stored,
        givenUp: ledger.givenUp(),
        repeated: ledger.repeated(),
      }
    }
  } finally {
    await proxy.stop()
  }
}

interface Senders {
  readonly fleet: SdkFleet
  readonly ledger: SdkLedger
  readonly url: string
}

/** The SDKs start before the first fault: some ask the service for their settings only once. */
async function whileSdksSend({ fleet, ledger, url }: Senders, work: () => Promise<void>): Promise<void> {
  let isRunning = true
  const started = Object.entries(fleet.sdks).map(
    async ([name, start]) => [name, await start(url, () => ledger.hasArrived(name))] as const,
  )
  const lanes = (await Promise.all(started)).map(async ([name, sdk]) => {
    while (isRunning) {
      sdk.send(ledger.open(name))
      await sleep(fleet.eventMs)
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

async function waitUntilRepeated(ledger: SdkLedger, names: readonly string[]): Promise<void> {
  const check = (): true | undefined => {
    const repeated = ledger.repeated()
    return names.every((name) => repeated[name] !== undefined) || undefined
  }
  await waitFor(`repeated events of ${names.join(', ')}`, check, REPEATED_MS_MAX)
}

async function closeSdk(name: string, sdk: OpenSdk): Promise<void> {
  try {
    await sdk.close()
  } catch (error) {
    throw new Error(`${name} did not end`, { cause: error })
  }
}

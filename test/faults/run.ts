import { parseArgs } from 'node:util'
import { hasChromium } from '../harness/chromium.ts'
import { canMount } from '../harness/small-disk.ts'
import { startEmbeddedRig } from './embedded-rig.ts'
import { runFailingDisk } from './failing-disk.ts'
import { runFullDisk } from './full-disk.ts'
import { runHangingDisk } from './hanging-disk.ts'
import { canMakeDisk } from './loop-disk.ts'
import { runOutage } from './outage.ts'
import { startProxiedRig } from './proxied-rig.ts'
import type { Rig } from './rig.ts'
import { type FaultRun, runFaults } from './run-faults.ts'
import { runBrowserSdkFaults } from './sdks/browser-sdks.ts'
import { runSdkFaults, type SdkFaultRun } from './sdks/run-sdk-faults.ts'
import { Traffic } from './traffic.ts'
import { NOTHING_FOUND } from './verify.ts'

const { values } = parseArgs({
  options: {
    part: {
      type: 'string',
      multiple: true,
      default: [
        'embedded',
        'proxied',
        'sdks',
        'browser-sdks',
        'outage',
        'failing-disk',
        'hanging-disk',
        'full-disk',
      ],
    },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    seconds: { type: 'string', default: '120' },
    rate: { type: 'string', default: '100' },
    fault: { type: 'string', multiple: true },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(
    'usage: npm run faults -- [--part P]... [--fault F]... [--seed N] [--seconds N] [--rate N] [--log]\n',
  )
  process.exit()
}

const seed = Number(values.seed)
const seconds = Number(values.seconds)
const run: FaultRun = {
  seed,
  seconds,
  clients: { batchesPerSecond: Number(values.rate) },
  ...(values.fault ? { kinds: values.fault } : {}),
}

const sdkRun: SdkFaultRun = { seed, seconds, ...(values.fault ? { kinds: values.fault } : {}) }

interface Part {
  start(): Promise<Rig>
  run(rig: Rig, traffic: Traffic): Promise<{ readonly findings: object }>
}

const PARTS: Readonly<Record<string, Part>> = {
  embedded: { start: startEmbeddedRig, run: async (rig, traffic) => await runFaults(rig, traffic, run) },
  proxied: { start: startProxiedRig, run: async (rig, traffic) => await runFaults(rig, traffic, run) },
  sdks: {
    start: startEmbeddedRig,
    run: async (rig) => await runSdkFaults(rig, sdkRun),
  },
  'browser-sdks': {
    start: startEmbeddedRig,
    run: async (rig) => await runBrowserSdkFaults(rig, sdkRun),
  },
  outage: {
    start: startEmbeddedRig,
    run: async (rig, traffic) => await runOutage(rig, traffic, { seed, seconds, measureSeconds: 10 }),
  },
  'failing-disk': {
    start: startEmbeddedRig,
    run: async (rig, traffic) =>
      await runFailingDisk(rig, traffic, { seed, failures: Math.ceil(seconds / 10) }),
  },
  'hanging-disk': {
    start: startEmbeddedRig,
    run: async (rig, traffic) => await runHangingDisk(rig, traffic, seed),
  },
  'full-disk': {
    start: startEmbeddedRig,
    run: async (rig, traffic) => await runFullDisk(rig, traffic, seed),
  },
}

for (const name of values.part) await runPart(name)

async function runPart(name: string): Promise<void> {
  const part = PARTS[name]
  if (!part) throw new Error(`--part is one of ${Object.keys(PARTS).join(', ')}`)
  if (name === 'full-disk' && !canMount()) return print({ part: name, skipped: 'this user may not mount' })
  if (name === 'browser-sdks' && !hasChromium()) return print({ part: name, skipped: 'no Chromium' })
  if ((name === 'failing-disk' || name === 'hanging-disk') && !canMakeDisk()) {
    return print({ part: name, skipped: 'this user may not make a disk of a file' })
  }
  const rig = await part.start()
  try {
    const summary = await part.run(rig, new Traffic(rig, seed))
    print({ part: name, seed, ...summary })
    if (values.log) process.stdout.write(`${rig.service.output.stdout}${rig.service.output.stderr}\n`)
    if (JSON.stringify(summary.findings) !== JSON.stringify(NOTHING_FOUND)) process.exitCode = 1
  } finally {
    await rig.destroy()
  }
}

function print(summary: object): void {
  process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
}

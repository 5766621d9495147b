import { sleep } from '../../src/kernel/clock.ts'
import type { Prng } from '../../src/kernel/prng.ts'
import type { Rig } from './rig.ts'

const GAP_MS_MIN = 50
const GAP_MS_MAX = 500

/** Injects a fault at a random moment. */
export async function strike({ faults }: Rig, kind: string, prng: Prng): Promise<void> {
  const fault = faults[kind]
  if (!fault) throw new Error(`the faults are ${Object.keys(faults).join(', ')}`)
  await sleep(GAP_MS_MIN + prng.below(GAP_MS_MAX))
  await fault(prng)
}

/** The same kinds in a random order. */
export function shuffle(kinds: readonly string[], prng: Prng): readonly string[] {
  return kinds
    .map((kind) => ({ kind, rank: prng.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ kind }) => kind)
}

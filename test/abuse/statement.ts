import type { ServiceUnderAttack } from './service-under-attack.ts'
import type { Setup, Target } from './target.ts'

/** A sentence about the service that is true or not. */
export interface Statement {
  /** The claim; unique. */
  readonly title: string
  /** The service that it is about; the one as it comes when left out. */
  readonly setup?: Setup
  /** Takes longer than a second, or needs a machine that does nothing else: not for the gate. */
  readonly isSlow?: true
  /** Throws, with the observed behaviour, when the claim is false. */
  check(service: ServiceUnderAttack): Promise<void>
}

/** How an attack ended for its requests: how many of them with which end, such as `401`, `closed` or `no answer`. */
export type Endings = Map<string, number>

/** A deliberate attack that lasts some seconds. */
export interface Attack {
  readonly title: string
  readonly setup?: Setup
  /** Ends that are well-formed refusals of this attack, beside the usual ones. */
  readonly allowed?: RegExp
  /** Makes what takes a while to make. */
  prepare?(): void
  /** Runs until `untilMs` of the monotonic clock, releases everything, and returns how its requests ended. */
  run(target: Target, untilMs: number): Promise<Endings>
}

/** Statements about one subject. */
export interface Chapter {
  readonly name: string
  readonly statements: readonly Statement[]
}

/** Throws what was seen when a claim is false. */
export function claim(isTrue: boolean, seen: () => string): asserts isTrue {
  if (!isTrue) throw new Error(seen())
}

/** Counts an end. */
export function note(endings: Endings, end: string): void {
  endings.set(end, (endings.get(end) ?? 0) + 1)
}

/** Runs `each` again and again on so many lanes at once, until the time is over. */
export async function onLanes(
  lanes: number,
  untilMs: number,
  each: (lane: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < untilMs) await each(lane)
    }),
  )
}

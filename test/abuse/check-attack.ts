import { setTimeout as delay } from 'node:timers/promises'
import { sendAttacker } from './attacker.ts'
import { USUAL } from './attacks/endings.ts'
import { type Memory, residentMemory, watchMemory } from './memory.ts'
import { type Experience, liveAsOthers } from './others.ts'
import { ROLES, type ServiceUnderAttack } from './service-under-attack.ts'
import type { Attack, Endings } from './statement.ts'

/** The outcome of a statement; without a failure it holds. */
export interface Verdict {
  readonly title: string
  readonly failure?: string
}

const DURING_MS_MAX = 1_000
const AFTER_MS_MAX = 250
/** A sign-in computes a hash for as long as it takes. */
const SIGN_IN_AFTER_MS_MAX = 1_000
const BEFORE_MS = 1_500
const AFTER_MS = 3_000
/** Connections that were held may take so long to be let go. */
const REST_MS = 1_000
/** The share of other callers' calls that may fail during an attack. */
const FAILED_SHARE_MAX = 0.02

/** Maximum growth of a process during an attack and after it, in MiB. */
const GROWTH_MAX = { during: 700, after: 250 } as const
const MEMORY_RETURNS_MS_MAX = 20_000

function pidsOf(service: ServiceUnderAttack): string {
  return ROLES.map((role) => {
    try {
      return `${role} ${service.pid(role)}`
    } catch {
      return `${role} gone`
    }
  }).join(', ')
}

/** `before` helps to read a failure: on a busy machine, calls were slow before the attack, too. */
function slow(
  experiences: readonly Experience[],
  before: readonly Experience[],
  msMaxOf: (name: string) => number,
): string | undefined {
  const late = experiences.filter(({ name, medianMs }) => medianMs > msMaxOf(name))
  if (late.length === 0) return undefined
  return late
    .map(
      ({ name, medianMs, count, failures }) =>
        `${name} ${Math.round(medianMs)} ms of ${count}, before ${Math.round(before.find((one) => one.name === name)?.medianMs ?? 0)} ms${failures[0] === undefined ? '' : ` (${failures[0]})`}`,
    )
    .join('; ')
}

function refused(experiences: readonly Experience[]): string | undefined {
  const some = experiences.filter(
    ({ failures, count }) => failures.length > Math.max(count * FAILED_SHARE_MAX, 0),
  )
  if (some.length === 0) return undefined
  return some
    .map(({ name, failures, count }) => `${failures.length} of ${count} ${name}: ${failures[0]}`)
    .join('; ')
}

function grown(before: Memory, now: Memory, max: number): string | undefined {
  const roles = (['edge', 'query'] as const).filter((role) => now[role] - before[role] > max)
  return roles.length === 0
    ? undefined
    : roles.map((role) => `${role} from ${before[role]} to ${now[role]} MiB`).join('; ')
}

async function untilMemoryReturns(service: ServiceUnderAttack, before: Memory): Promise<string | undefined> {
  const giveUpMs = performance.now() + MEMORY_RETURNS_MS_MAX
  for (;;) {
    const failure = grown(before, residentMemory(service), GROWTH_MAX.after)
    if (failure === undefined || performance.now() > giveUpMs) return failure
    await delay(500)
  }
}

function oddEndings(attack: Attack, endings: Endings): string | undefined {
  const odd = [...endings].filter(([end]) => !USUAL.test(end) && !attack.allowed?.test(end))
  const all = [...endings].map(([end, count]) => `${end}: ${count}`).join(', ')
  if (endings.size === 0) return 'no request ended'
  return odd.length === 0 ? undefined : all
}

/** Attacks a service, and gives what became of each statement about that. */
export async function checkAttack(
  service: ServiceUnderAttack,
  attack: Attack,
  seconds: number,
): Promise<readonly Verdict[]> {
  const say = (what: string, failure: string | undefined): Verdict => ({
    title: `attack (${service.setup}): ${attack.title}: ${what}`,
    ...(failure === undefined ? {} : { failure }),
  })
  try {
    const [pids, memory] = [pidsOf(service), residentMemory(service)]
    const before = await liveAsOthers(service, performance.now() + BEFORE_MS)
    const watched = watchMemory(service)
    const begun = await sendAttacker(service, attack, seconds)
    const untilMs = performance.now() + seconds * 1000
    const [endings, during] = await Promise.all([
      begun.endings,
      delay(300).then(async () => await liveAsOthers(service, untilMs)),
    ])
    const most = watched.stop()
    await delay(REST_MS)
    const after = await liveAsOthers(service, performance.now() + AFTER_MS)
    return [
      say(
        'others are answered within a second',
        slow(during, before, () => DURING_MS_MAX),
      ),
      say('others are not refused', refused(during)),
      say(
        'afterwards others are answered at once',
        slow(after, before, (name) => (name === 'sign-in' ? SIGN_IN_AFTER_MS_MAX : AFTER_MS_MAX)) ??
          refused(after),
      ),
      say('no process ends', pidsOf(service) === pids ? undefined : `${pids}, then ${pidsOf(service)}`),
      say(
        'memory stays in bounds and returns',
        grown(memory, most, GROWTH_MAX.during) ?? (await untilMemoryReturns(service, memory)),
      ),
      say('each request is answered with an error, or its connection ends', oddEndings(attack, endings)),
    ]
  } catch (error) {
    return [
      say('can be tried', error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error)),
    ]
  }
}

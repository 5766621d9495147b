import { sleep } from '../../src/kernel/clock.ts'
import type { Prng } from '../../src/kernel/prng.ts'
import type { Role } from '../../src/settings/settings.ts'
import { runMillrace, type TestService } from '../harness/service.ts'
import { isAlive, waitFor } from '../harness/wait.ts'

/** The supervisor waits up to ten seconds before it starts a role that dies again and again. */
const RESTART_MS_MAX = 60_000

/** Kills a role and waits until the supervisor has started it again. */
export async function killRole(service: TestService, role: Role): Promise<void> {
  const pid = service.pid(role)
  process.kill(pid, 'SIGKILL')
  await waitFor(
    `the ${role} process to be started again`,
    () => (service.pid(role) !== pid && isAlive(service.pid(role)) ? true : undefined),
    RESTART_MS_MAX,
  )
}

/** Kills every process of a service, the supervisor at a random place among them. */
export async function killEverything(
  service: TestService,
  roles: readonly Role[],
  prng: Prng,
): Promise<void> {
  const names: (Role | 'supervisor')[] = [...roles]
  names.splice(prng.below(names.length + 1), 0, 'supervisor')
  const pids = names.map((name) => service.pid(name))
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await waitUntilGone(pids)
}

/** The same, and starts the service on the same folder. */
export async function restartEverything(
  service: TestService,
  roles: readonly Role[],
  prng: Prng,
): Promise<void> {
  await killEverything(service, roles, prng)
  await service.launch()
}

/** Kills the supervisor only: its roles find out, stop in their own order, and the service is started again. */
export async function killSupervisor(service: TestService, roles: readonly Role[]): Promise<void> {
  const pids = (['supervisor', ...roles] as const).map((name) => service.pid(name))
  process.kill(service.pid('supervisor'), 'SIGKILL')
  await waitUntilGone(pids)
  await service.launch()
}

/**
 * Kills the supervisor while the edge hangs, and tries to start the service beside it: the old edge still owns the
 * journal. Then it goes on, finishes, and the service is started again.
 */
export async function startBesideHungEdge(service: TestService): Promise<void> {
  const pids = (['supervisor', 'query', 'edge'] as const).map((name) => service.pid(name))
  await whileFrozen(service.pid('edge'), async () => {
    process.kill(service.pid('query'), 'SIGKILL')
    process.kill(service.pid('supervisor'), 'SIGKILL')
    const { code } = await runMillrace(['start'], service.environment)
    if (code === 0) throw new Error('two edges served one folder')
  })
  await waitUntilGone(pids)
  await service.launch()
}

/** Runs `work` while a process is stopped as by SIGSTOP: it keeps its connections and answers nothing. */
export async function whileFrozen<T>(pid: number, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** Stops the store for a while that its clients notice. */
export async function freezeStore(service: TestService, prng: Prng): Promise<void> {
  await whileFrozen(service.pid('store'), async () => await sleep(300 + prng.below(2000)))
}

/** Kills the edge while the store holds its INSERTs: what is under way is sent again by the next edge. */
export async function killEdgeWhileStoreFrozen(service: TestService, prng: Prng): Promise<void> {
  await whileFrozen(service.pid('store'), async () => {
    await sleep(300 + prng.below(700))
    await killRole(service, 'edge')
  })
}

async function waitUntilGone(pids: readonly number[]): Promise<void> {
  await waitFor('all processes to be gone', () => (pids.some(isAlive) ? undefined : true), RESTART_MS_MAX)
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { dispatchDueJobs } from '../../src/jobs/recurring-dispatcher.ts'
import { type CatalogLocation, openCatalog } from '../../src/store/catalog/catalog.ts'

/** A process that dispatches recurring jobs of a catalog. */
export interface DispatcherProcess {
  /** Dispatches the jobs that are due, and resolves with how many it added. */
  dispatch(nowMs: number): Promise<number>
  stop(): Promise<void>
}

/** Starts a process: two connections of one thread would wait for each other's transactions. */
export async function startDispatcherProcess(
  place: CatalogLocation,
  kinds: readonly string[],
): Promise<DispatcherProcess> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(place), ...kinds], { execArgv: [] })
  await answerOf(child)
  return {
    dispatch: async (nowMs) => {
      child.send(nowMs)
      return await answerOf(child)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function answerOf(child: ChildProcess): Promise<number> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process has ended')
  })
  const [answer] = await Promise.race([once(child, 'message'), ended])
  return answer
}

function runChild([place = '', ...kinds]: readonly string[]): void {
  const catalog = openCatalog(JSON.parse(place))
  process.on('message', (nowMs: number) => {
    const clock = { nowMs: () => nowMs }
    void dispatchDueJobs({ catalog, clock, kinds, wakeJobs: () => undefined }).then((count) =>
      process.send?.(count),
    )
  })
  process.once('disconnect', () => void catalog.destroy())
  process.send?.(0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runChild(process.argv.slice(2))

import { LIMITS } from '../../kernel/limits.ts'
import type { Logger } from '../../kernel/log.ts'
import { EngineStartError, startEngine } from '../../store/embedded/engine.ts'
import { FatalError } from '../environment/fatal-error.ts'
import type { SupervisedRole } from './process-role.ts'

/** Reasons that a retry cannot fix. */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  'data_folder_locked',
  'not_writable',
  'unsupported_platform',
])

/**
 * Creates the starter of the embedded engine. A restarted engine has the same port, so that connections find it again.
 * The starter throws {@link FatalError} when the operator must act first.
 */
export function createStoreStarter(
  dataDir: string,
  log: Logger,
): (stopping?: AbortSignal) => Promise<SupervisedRole> {
  let httpPort: number | undefined
  return async (stopping) => {
    const engine = await startEngine({
      dataFolder: dataDir,
      ...(httpPort === undefined ? {} : { httpPort }),
      ...(stopping === undefined ? {} : { signal: stopping }),
      onLog: ({ level, message }) => log[level](message),
      startTimeoutMs: LIMITS.startTimeoutMs,
      stopTimeoutMs: LIMITS.stopTimeoutMs,
    }).catch((error: unknown) => {
      throw isFinal(error) ? new FatalError(error.message, { cause: error }) : error
    })
    httpPort = Number(new URL(engine.url).port)
    return {
      pid: engine.pid,
      exited: engine.exited.then(({ code, signal }) =>
        signal === null ? `exit code ${code}` : `signal ${signal}`,
      ),
      stop: async () => await engine.stop(),
      metrics: async () => [],
    }
  }
}

function isFinal(error: unknown): error is EngineStartError {
  return error instanceof EngineStartError && FINAL_REASONS.has(error.reason)
}

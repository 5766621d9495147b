import { parseArgs } from 'node:util'
import { Teardown } from '../teardown.ts'

/** The inputs of a measurement. */
export interface OnWorld {
  /** The folder that the insights benchmark has kept. */
  readonly folder: string
  /** Ends what the measurement starts, also when it is interrupted. */
  readonly teardown: Teardown
}

/**
 * Runs a command, or prints its usage with `--help`; a failure is one line. What it puts into the teardown
 * ends also when it is interrupted.
 */
export async function runCommand(
  usage: string,
  measure: (teardown: Teardown) => Promise<void>,
): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`usage: ${usage}\n`)
    return
  }
  const teardown = new Teardown()
  const stop = async (): Promise<void> => {
    await teardown.run()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  try {
    await measure(teardown)
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    await teardown.run()
  }
}

/** The same for a command whose one option, `--data`, is a folder that the insights benchmark kept. */
export async function runOnWorld(script: string, measure: (world: OnWorld) => Promise<void>): Promise<void> {
  const usage = `npm run ${script} -- --data <folder of the insights benchmark>`
  await runCommand(usage, async (teardown) => {
    const { data: folder } = parseArgs({ options: { data: { type: 'string' } } }).values
    if (folder === undefined) throw new Error(`usage: ${usage}`)
    await measure({ folder, teardown })
  })
}

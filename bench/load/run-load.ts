import { LOAD_USAGE, type LoadCommand, LoadUsageError, parseLoadCommand } from './load-command.ts'
import { chartsOfLoad, chartsOfSweep, renderLoad, renderSweep, writeReport } from './load-report.ts'
import { type Measured, measureLoad } from './measure-load.ts'
import { runSweep } from './run-sweep.ts'

/** Follows the words after `load`. Answers the exit code: 1 when nothing was acknowledged, or the words are wrong. */
export async function runLoad(words: readonly string[]): Promise<number> {
  try {
    return await follow(parseLoadCommand(words))
  } catch (error) {
    if (!(error instanceof LoadUsageError)) throw error
    process.stderr.write(`bench: ${error.message}\n${LOAD_USAGE}`)
    return 1
  }
}

async function follow(command: LoadCommand): Promise<number> {
  if (command.kind === 'load') {
    const measured = await measureLoad(command, command.shape)
    process.stdout.write(renderLoad(measured))
    finish(command, { report: measured, charts: chartsOfLoad(measured) })
    return isAnswered(measured) ? 0 : 1
  }
  const points = await runSweep(command)
  process.stdout.write(renderSweep(command.sweep, points))
  finish(command, { report: { sweep: command.sweep, points }, charts: chartsOfSweep(command.sweep, points) })
  return points.every(({ measured }) => isAnswered(measured)) ? 0 : 1
}

function finish(
  { shape, outDir, kind, ...rest }: LoadCommand,
  { report, charts }: Pick<Parameters<typeof writeReport>[0], 'report' | 'charts'>,
): void {
  const name = 'sweep' in rest ? rest.sweep : kind
  for (const path of writeReport({ outDir, name, shape, report, charts })) process.stdout.write(`${path}\n`)
}

function isAnswered({ result }: Measured): boolean {
  return result.events > 0
}

// How the cost of everything grows with the events and with the projects of a service: one service that is grown in steps to so many
// million events, and services with the same events in more and more projects. What is finished is kept in the folder, so that a run
// that ends early is continued.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderChart } from '../plot/chart.ts'
import { describeMachine, measureMachine } from '../rig/machine.ts'
import { runCommand } from '../rig/run-command.ts'
import { growWorld } from './grow-world.ts'
import { toCharts } from './growth-charts.ts'
import { EVENTS_OF_PROJECTS, parsePlan, type Size, sizeKey, USAGE } from './growth-plan.ts'
import { type Figure, renderTable, type SizeFigures } from './growth-table.ts'
import { measureService } from './measure-service.ts'
import { createProjects } from './projects.ts'

const MILLION = 1_000_000

/** Figures by size. */
type Results = Record<string, readonly Figure[]>

await runCommand(USAGE, async (teardown) => {
  const plan = parsePlan(process.argv.slice(2))
  const root = plan.folder ?? teardown.temporaryFolder()
  for (const folder of [root, plan.chartsFolder ?? root]) mkdirSync(folder, { recursive: true })
  const byEvents: SizeFigures[] = []
  for (const millions of plan.eventMillions) {
    byEvents.push({ size: millions, figures: await figuresOf(root, { axis: 'events', millions }) })
  }
  const byProjects: SizeFigures[] = []
  for (const projects of plan.projectCounts) {
    byProjects.push({ size: projects, figures: await figuresOf(root, { axis: 'projects', projects }) })
  }
  if (plan.chartsFolder !== undefined) {
    for (const { file, chart } of toCharts({ events: byEvents, projects: byProjects })) {
      writeFileSync(join(plan.chartsFolder, file), renderChart(chart))
    }
  }
  const tables = [
    ...(byEvents.length > 0 ? [renderTable(byEvents, { name: 'million events', perItem: '/event' })] : []),
    ...(byProjects.length > 0 ? [renderTable(byProjects, { name: 'projects' })] : []),
  ]
  process.stdout.write(`${tables.join('\n\n')}\n\n${describeMachine(await measureMachine())}\n`)
})

/** The figures of a size, measured unless an earlier run has. */
async function figuresOf(root: string, size: Size): Promise<readonly Figure[]> {
  const path = join(root, 'figures.json')
  const results = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : {}
  const known = results[sizeKey(size)]
  if (known) return known
  progress(sizeKey(size))
  const figures = size.axis === 'events' ? await measureEvents(root, size) : await measureProjects(root, size)
  writeFileSync(path, JSON.stringify({ ...results, [sizeKey(size)]: figures }, null, 2))
  return figures
}

/** The same service at every size. */
async function measureEvents(
  root: string,
  { millions }: Extract<Size, { axis: 'events' }>,
): Promise<readonly Figure[]> {
  const folder = join(root, 'events')
  const events = millions * MILLION
  if (!existsSync(folder)) await createProjects(folder, 1)
  const grown = await growWorld({ folder, events, projects: [1] })
  return [...(await measureService({ folder, events, keys: [] }, progress)), ...grown]
}

/** A service for each size. */
async function measureProjects(
  root: string,
  { projects: count }: Extract<Size, { axis: 'projects' }>,
): Promise<readonly Figure[]> {
  const folder = join(root, `projects-${count}`)
  rmSync(folder, { recursive: true, force: true })
  const projects = await createProjects(folder, count)
  const target = { folder, events: EVENTS_OF_PROJECTS, projects: projects.ids }
  const grown = await growWorld(target)
  const measured = {
    folder,
    events: EVENTS_OF_PROJECTS,
    keys: projects.keys,
    lastProject: String(projects.ids.at(-1)),
  }
  const figures = await measureService(measured, progress)
  rmSync(folder, { recursive: true, force: true })
  return [...figures, ...grown]
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`)
}

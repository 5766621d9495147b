import { parseArgs } from 'node:util'

/** A size to which a service grows. */
export type Size =
  | { readonly axis: 'events'; readonly millions: number }
  | { readonly axis: 'projects'; readonly projects: number }

/** The options of the command line. */
export interface GrowthPlan {
  /** Ascending. */
  readonly eventMillions: readonly number[]
  /** Ascending. */
  readonly projectCounts: readonly number[]
  /** A folder that is kept, with the services and the figures so far; a temporary one when left out. */
  readonly folder: string | undefined
  /** Where the charts are written; nowhere when left out. */
  readonly chartsFolder: string | undefined
}

/** How to call the bench. */
export const USAGE =
  'npm run bench:growth -- [--events 1,5,20,60] [--projects 1,20,200,2000] [--data folder] [--charts folder]'

/** Events of the services that differ by their number of projects. */
export const EVENTS_OF_PROJECTS = 1_000_000

const MILLIONS_MAX = 1000
const PROJECTS_MAX = 10_000

/** The plan of some arguments. Throws with the usage. */
export function parsePlan(args: readonly string[]): GrowthPlan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '1,5,20,60' },
      projects: { type: 'string', default: '1,20,200,2000' },
      data: { type: 'string' },
      charts: { type: 'string' },
    },
  })
  return {
    eventMillions: parseSizes('events', values.events, MILLIONS_MAX),
    projectCounts: parseSizes('projects', values.projects, PROJECTS_MAX),
    folder: values.data,
    chartsFolder: values.charts,
  }
}

/** `none` is no size. */
function parseSizes(name: string, text: string, max: number): readonly number[] {
  if (text === 'none') return []
  const sizes = text.split(',').map(Number)
  const isValid = sizes.every((size, at) => Number.isInteger(size) && size > (sizes[at - 1] ?? 0))
  if (isValid && (sizes.at(-1) ?? 0) <= max) return sizes
  throw new Error(`--${name} takes ascending integers from 1 to ${max}, or none; ${USAGE}`)
}

/** How a size is called in the file of figures. */
export function sizeKey(size: Size): string {
  return size.axis === 'events' ? `events/${size.millions}` : `projects/${size.projects}`
}

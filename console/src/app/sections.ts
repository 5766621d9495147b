import { type JSX, lazy } from 'solid-js'
import { parseRoute, type Route } from '../context/route.ts'

/** A page in the side bar. */
interface SectionEntry {
  readonly title: string
  /** `rest` is the rest of the path below the section. */
  readonly page: (props: { readonly rest: string }) => JSX.Element
}

/** The sections of a project, in the order of the side bar; the first is the default. */
export const SECTIONS = {
  live: {
    title: 'Live',
    page: lazy(async () => ({ default: (await import('../pages/live.tsx')).LivePage })),
  },
  insights: {
    title: 'Insights',
    page: lazy(async () => ({ default: (await import('../pages/insights.tsx')).InsightsPage })),
  },
  dashboards: {
    title: 'Dashboards',
    page: lazy(async () => ({ default: (await import('../pages/dashboards.tsx')).DashboardsPage })),
  },
  people: {
    title: 'People',
    page: lazy(async () => ({ default: (await import('../pages/people.tsx')).PeoplePage })),
  },
  settings: {
    title: 'Settings',
    page: lazy(async () => ({ default: (await import('../pages/settings.tsx')).SettingsPage })),
  },
} as const satisfies Readonly<Record<string, SectionEntry>>

/** The name of a section, as in addresses. */
export type Section = keyof typeof SECTIONS

/** The section of a path. */
export type SectionRoute = Route<Section>

const NAMES = Object.keys(SECTIONS) as [Section, ...Section[]]

/** Parses the path of a page. */
export function parseSection(path: string): SectionRoute {
  return parseRoute(path, NAMES)
}

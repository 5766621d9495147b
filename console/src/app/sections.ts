import Bell from 'lucide-solid/icons/bell'
import BookText from 'lucide-solid/icons/book-text'
import LineChart from 'lucide-solid/icons/chart-line'
import Footprints from 'lucide-solid/icons/footprints'
import House from 'lucide-solid/icons/house'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import Mail from 'lucide-solid/icons/mail'
import Radio from 'lucide-solid/icons/radio'
import Settings from 'lucide-solid/icons/settings'
import Users from 'lucide-solid/icons/users'
import type { Component, JSX } from 'solid-js'
import { parseRoute, type Route } from '../context/route.ts'
import type { MessageKey } from '../i18n/translate.ts'
import { lazy } from '../ui/lazy.ts'

/** A page in the side bar. */
interface SectionEntry {
  /** The message with its title. */
  readonly title: MessageKey & `shell.${string}`
  readonly icon: Component<{ readonly class?: string }>
  /** The second key after `g` that opens it. */
  readonly key: string
  /** Whether addresses below its own lead to pages. */
  readonly hasPlaces?: true
  /** `rest` is the rest of the path below the section. */
  readonly page: (props: { readonly rest: string }) => JSX.Element
}

/** The sections of a project, in the order of the side bar; the first is the landing page. */
export const SECTIONS = {
  overview: {
    title: 'shell.overview',
    icon: House,
    key: 'o',
    page: lazy(async () => ({ default: (await import('../pages/overview/overview-page.tsx')).OverviewPage })),
  },
  live: {
    title: 'shell.live',
    icon: Radio,
    key: 'l',
    page: lazy(async () => ({ default: (await import('../pages/live/live-page.tsx')).LivePage })),
  },
  insights: {
    title: 'shell.insights',
    icon: LineChart,
    key: 'i',
    page: lazy(async () => ({ default: (await import('../pages/insights/insights-page.tsx')).InsightsPage })),
  },
  dashboards: {
    title: 'shell.dashboards',
    icon: LayoutGrid,
    key: 'd',
    hasPlaces: true,
    page: lazy(async () => ({ default: (await import('../pages/dashboards.tsx')).DashboardsPage })),
  },
  people: {
    title: 'shell.people',
    icon: Users,
    key: 'p',
    hasPlaces: true,
    page: lazy(async () => ({ default: (await import('../pages/people.tsx')).PeoplePage })),
  },
  sessions: {
    title: 'shell.sessions',
    icon: Footprints,
    key: 'v',
    page: lazy(async () => ({ default: (await import('../pages/sessions/sessions-page.tsx')).SessionsPage })),
  },
  alerts: {
    title: 'shell.alerts',
    icon: Bell,
    key: 'a',
    hasPlaces: true,
    page: lazy(async () => ({ default: (await import('../pages/alerts/alerts-page.tsx')).AlertsPage })),
  },
  reports: {
    title: 'shell.reports',
    icon: Mail,
    key: 'r',
    hasPlaces: true,
    page: lazy(async () => ({ default: (await import('../pages/reports/reports-page.tsx')).ReportsPage })),
  },
  data: {
    title: 'shell.data',
    icon: BookText,
    key: 'b',
    page: lazy(async () => ({
      default: (await import('../pages/dictionary/dictionary-page.tsx')).DictionaryPage,
    })),
  },
  settings: {
    title: 'shell.settings',
    icon: Settings,
    key: 's',
    hasPlaces: true,
    page: lazy(async () => ({ default: (await import('../pages/settings.tsx')).SettingsPage })),
  },
} as const satisfies Readonly<Record<string, SectionEntry>>

/** The name of a section, as in addresses. */
export type Section = keyof typeof SECTIONS

/** The section of a path. */
export type SectionRoute = Route<Section>

/** The names of the sections, in the order of the side bar. */
export const SECTION_NAMES = Object.keys(SECTIONS) as [Section, ...Section[]]

/** The page that `/` leads to. */
export const LANDING_SECTION: Section = SECTION_NAMES[0]

/** Parses the path of a page. */
export function parseSection(path: string): SectionRoute {
  const route = parseRoute(path, SECTION_NAMES)
  const entry: SectionEntry | undefined = route.section && SECTIONS[route.section]
  return route.rest === '' || entry?.hasPlaces ? route : { ...route, section: undefined }
}

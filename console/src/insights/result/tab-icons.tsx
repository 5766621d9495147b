import CalendarDays from 'lucide-solid/icons/calendar-days'
import ChartBarDecreasing from 'lucide-solid/icons/chart-bar-decreasing'
import ChartLine from 'lucide-solid/icons/chart-line'
import Funnel from 'lucide-solid/icons/funnel'
import MapIcon from 'lucide-solid/icons/map'
import Timer from 'lucide-solid/icons/timer'
import Waypoints from 'lucide-solid/icons/waypoints'
import type { Component, JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Tab } from '../model/tabs.ts'

const ICONS = {
  trends: ChartLine,
  funnel: Funnel,
  retention: CalendarDays,
  paths: Waypoints,
  top: ChartBarDecreasing,
  countries: MapIcon,
  sessions: Timer,
} as const satisfies Record<Tab, Component>

/** The icon of a tab of the builder. */
export function TabIcon(props: { readonly tab: Tab }): JSX.Element {
  return <Dynamic component={ICONS[props.tab]} />
}

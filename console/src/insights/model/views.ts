import type { View } from '../../charts/chart.ts'

/** The views of an answer, at least one; the first is the default. */
export type Views = readonly [View, ...View[]]

/** The view of that name, if it is one of the views; otherwise the default. */
export function chooseView(views: Views, name: string | null): View {
  return views.find((view) => view === name) ?? views[0]
}

import { createContext, useContext } from 'solid-js'

/** An annotation, drawn on charts over time. */
export interface ChartNote {
  readonly id: string
  readonly timeMs: number
  readonly title: string
  readonly author: string
  /** The only dashboard that shows it; empty for the whole project. */
  readonly dashboardId: string
}

/** The annotations of the charts of a page. */
export interface ChartNotes {
  /** Reads them; called by a chart once it is drawn, so that the page comes first. */
  readonly need: () => void
  readonly notes: () => readonly ChartNote[]
  /** Begins an annotation at a time; absent for people who may not. */
  readonly add: () => ((timeMs: number) => void) | undefined
  /** Opens an annotation for a change. */
  readonly open: (note: ChartNote) => void
}

const Context = createContext<ChartNotes>()

/** Provides the annotations of charts. */
export const ChartNotesProvider = Context.Provider

/** The annotations of the page; none on pages without a project. */
export function useChartNotes(): ChartNotes | undefined {
  return useContext(Context)
}

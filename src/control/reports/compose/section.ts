import type { TimeModel } from '../../../domain/charts/time-model.ts'

/** How a value changed since the previous period. */
export interface ShownChange {
  /** With its sign: `+9.6%`. */
  readonly text: string
  readonly tone: 'good' | 'bad' | 'neutral'
}

/** A number with its change. */
export interface ShownNumber {
  readonly label: string
  readonly text: string
  readonly change: ShownChange | undefined
}

/** A row of a table. */
export interface ShownRow {
  readonly cells: readonly string[]
  /** 0 to 1: the length of the bar behind the row; absent for none. */
  readonly share?: number
  readonly change?: ShownChange | undefined
}

/** A part of a report. */
export type Section = {
  readonly title: string
  readonly description: string
} & (
  | { readonly kind: 'numbers'; readonly numbers: readonly ShownNumber[] }
  | {
      readonly kind: 'chart'
      readonly numbers: readonly ShownNumber[]
      readonly model: TimeModel
    }
  | {
      readonly kind: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly ShownRow[]
      /** Rows that are left out. */
      readonly moreCount: number
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string }
)

/** A report about a period, before it becomes a mail. */
export interface ReportPage {
  readonly name: string
  readonly projectName: string
  /** The range in words. */
  readonly range: string
  /** URL of the same in the console. */
  readonly link: string
  readonly sections: readonly Section[]
  /** Sections that are left out. */
  readonly moreCount: number
}

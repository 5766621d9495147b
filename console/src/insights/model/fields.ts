import type { Draft } from './draft.ts'

/** The names of the fields of a draft that hold values of a type. */
type NamesOf<Value> = { [Name in keyof Draft]: Draft[Name] extends Value ? Name : never }[keyof Draft]

/** A condition on the draft; a field without one is always shown. */
interface Shown {
  readonly when?: (draft: Draft) => boolean
}

/** A field of the builder. `path` is that of the request, for the problems that the service finds. */
export type Field = Shown &
  (
    | {
        readonly kind: 'choice'
        readonly name: 'measure' | 'sessionMetric' | 'dimension'
        readonly label: string
        readonly choices: Readonly<Record<string, string>>
        readonly path?: string
      }
    | {
        readonly kind: 'property'
        readonly name: 'dimensionProperty' | 'flowProperty'
        readonly label: string
        readonly path: string
      }
    | {
        readonly kind: 'count'
        readonly name: NamesOf<number>
        readonly label: string
        readonly path: string
      }
    | { readonly kind: 'toggle'; readonly name: NamesOf<boolean>; readonly label: string }
    /** The list of series or steps. */
    | {
        readonly kind: 'series'
        readonly titleOf: (index: number) => string
        readonly noun: string
        readonly countMax: number
        readonly metric: 'any' | 'none'
      }
    /** The events of the scope, and how they are counted. */
    | { readonly kind: 'scope'; readonly path: string; readonly metric: 'any' | 'none' }
    | { readonly kind: 'breakdowns' }
    | {
        readonly kind: 'group'
        readonly legend: string
        readonly path: string
        readonly fields: readonly Field[]
      }
  )

/** Most series or steps of a spec. */
export const SERIES_MAX = 20

/** The letter of a series: A, B, C. */
export function seriesLetter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}

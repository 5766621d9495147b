import type { JsonObject } from '@bufbuild/protobuf'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { type Component, createComponent, type JSX } from 'solid-js'
import type { ChartProps, ChartTarget, View } from '../../charts/chart.ts'
import type { Table } from '../../format/table.ts'
import type { NameKey } from '../../i18n/translate.ts'
import {
  type AnyPart,
  type Draft,
  type DraftOf,
  draftOf,
  type Granularity,
  type InsightType,
  type PartOf,
} from './draft.ts'
import type { Json } from './json.ts'
import './messages.ts'
import type { PointKind } from './points.ts'
import type { Views } from './views.ts'

/** The result of an answer: one case for each shape. */
export type Result = QueryResponse['result']
/** The name of a shape. */
export type ResultCase = NonNullable<Result['case']>
/** The values of results by their case. */
type Values = { readonly [R in Exclude<Result, { case: undefined }> as R['case']]: R['value'] }

/** The size of a tile in cells of the grid of a dashboard. */
export interface TileSize {
  readonly w: number
  readonly h: number
}

/** Settings of a tile that only some types have. */
export type TileSetting = 'legend' | 'scale' | 'sparkline'

/** An insight type in the console. */
interface InsightTypeDefinition<Type extends InsightType, Case extends ResultCase> {
  readonly type: Type
  readonly name: NameKey
  /** The case of the answers to this type. */
  readonly result: Case
  /** The views of a draft; with a result, those of an answer whose query may hide its events. */
  readonly views: (draft: DraftOf<Type>, result?: Values[Case]) => Views
  /** Views whose chart or table shows times. */
  readonly timedViews: readonly View[]
  /** The table column that is compared to the previous period; `undefined` for types that are not compared. */
  readonly comparable: { readonly column: number } | undefined
  readonly defaultSize: TileSize
  readonly tileSettings: readonly TileSetting[]
  /** The subject of a query in words, without its type; absent for types that the name describes. */
  readonly describe?: (draft: DraftOf<Type>) => string
  /** The fields of the spec that only some types have, in proto JSON. */
  readonly encode: (draft: DraftOf<Type>) => JsonObject
  /** The part of a draft that {@link encode} writes. */
  readonly decode: (spec: Json) => PartOf<Type>
  /** The missing setting of the type, as a message; series without a property are found for all types. */
  readonly findMissing?: (draft: DraftOf<Type>, granularity?: Granularity) => NameKey | undefined
  /** Whether an answer has nothing to show. */
  readonly isNothing: (result: Values[Case]) => boolean
  /** The rows of an answer; the spec names what its numbers are. */
  readonly table: (result: Values[Case], spec?: InsightQuerySpec) => Table
  /** The point that a part of the chart stands for; `undefined` where the answer does not have it. */
  readonly pointOf: (
    target: ChartTarget,
    result: Values[Case],
    spec?: InsightQuerySpec,
  ) => PointKind | undefined
  readonly Chart: Component<ChartProps<Values[Case]>>
}

/** An entry of the registry: a definition that takes any draft and result, and ignores those of other types. */
export interface InsightTypeEntry
  extends Omit<
    InsightTypeDefinition<InsightType, ResultCase>,
    'views' | 'describe' | 'encode' | 'decode' | 'findMissing' | 'isNothing' | 'table' | 'pointOf' | 'Chart'
  > {
  readonly views: (draft: Draft, result?: Result) => Views
  readonly describe: (draft: Draft) => string
  readonly encode: (draft: Draft) => JsonObject
  readonly decode: (spec: Json) => AnyPart
  readonly findMissing: (draft: Draft, granularity?: Granularity) => NameKey | undefined
  readonly isNothing: (result: Result) => boolean
  readonly table: (result: Result, spec?: InsightQuerySpec) => Table
  readonly pointOf: (target: ChartTarget, result: Result, spec?: InsightQuerySpec) => PointKind | undefined
  readonly Chart: (props: ChartProps<Result>) => JSX.Element
}

const EMPTY_TABLE: Table = { columns: [], rows: [] }
const TABLE_ONLY: Views = ['table']

/** Makes an entry of the registry. */
export function defineInsightType<Type extends InsightType, Case extends ResultCase>(
  definition: InsightTypeDefinition<Type, Case>,
): InsightTypeEntry {
  const { result: name, views, table, Chart } = definition
  const own = (draft: Draft): DraftOf<Type> | undefined => draftOf(draft, definition.type)
  const read = (result: Result | undefined): Values[Case] | undefined =>
    result?.case === name ? (result.value as Values[Case]) : undefined
  return {
    ...definition,
    views: (draft, result) => {
      const typed = own(draft)
      return typed ? views(typed, read(result)) : TABLE_ONLY
    },
    describe: (draft) => {
      const typed = own(draft)
      return typed && definition.describe ? definition.describe(typed) : ''
    },
    // The part of one type is a part of any type, which a generic type cannot express.
    decode: (spec) => definition.decode(spec) as unknown as AnyPart,
    encode: (draft) => {
      const typed = own(draft)
      return typed ? definition.encode(typed) : {}
    },
    findMissing: (draft, granularity) => {
      const typed = own(draft)
      return typed && definition.findMissing?.(typed, granularity)
    },
    isNothing: (result) => {
      const value = read(result)
      return value === undefined || definition.isNothing(value)
    },
    table: (result, spec) => {
      const value = read(result)
      return value === undefined ? EMPTY_TABLE : table(value, spec)
    },
    pointOf: (target, result, spec) => {
      const value = read(result)
      return value === undefined ? undefined : definition.pointOf(target, value, spec)
    },
    Chart: (props) => {
      const first = read(props.result)
      if (first === undefined) return undefined
      // Getters keep the props reactive.
      const typed: ChartProps<Values[Case]> = {
        get result() {
          return read(props.result) ?? first
        },
        get previous() {
          return read(props.previous)
        },
        get totals() {
          return props.totals
        },
        get onOpen() {
          return props.onOpen
        },
        get view() {
          return props.view
        },
        get timeZone() {
          return props.timeZone
        },
        get spec() {
          return props.spec
        },
        get opened() {
          return props.opened
        },
        get options() {
          return props.options
        },
        get height() {
          return props.height
        },
      }
      return createComponent(Chart, typed)
    },
  }
}

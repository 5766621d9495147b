import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PointSchema } from '@contract/millrace/people/v1/actors_service_pb.js'
import type { QueryRequest, QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createContext, useContext } from 'solid-js'
import type { ChartTarget } from '../charts/chart.ts'

/** A point of an answer, as `ActorsService` takes it. */
export type PointInit = Exclude<MessageInitShape<typeof PointSchema>, { readonly $typeName: string }>

/** An answer whose parts have people behind them. */
export interface PeopleSource {
  readonly request: QueryRequest
  readonly result: QueryResponse['result']
  /** The point that a part of the chart stands for; `undefined` where the answer does not have it. */
  readonly pointOf: (target: ChartTarget) => PointInit | undefined
}

/** The people behind the numbers of a page, one part of one answer at a time. */
export interface PeopleBehind {
  /** Makes an answer available while the component exists; `name` is unique among the answers of a page. */
  readonly offer: (name: string, source: () => PeopleSource | undefined) => void
  readonly open: (name: string, target: ChartTarget) => void
  /** The part of an answer whose people are listed. */
  readonly opened: (name: string) => ChartTarget | undefined
}

const PeopleContext = createContext<PeopleBehind>()

/** Provides the drawer of people to charts. */
export const PeopleProvider = PeopleContext.Provider

/** The people behind the numbers; `undefined` where they are not accessible, as on public dashboards. */
export function usePeopleBehind(): PeopleBehind | undefined {
  return useContext(PeopleContext)
}

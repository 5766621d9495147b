import type {
  QueryOverviewResponse,
  QueryTableResponse,
} from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { WebAnalyticsService } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { dateOf } from '@domain/calendar.ts'
import { endOfRanges } from '@domain/time-ranges.ts'
import { type UseQueryResult, useQuery } from '@tanstack/solid-query'
import { createContext, createMemo, createSignal, useContext } from 'solid-js'
import { createFirstDate } from '../../context/first-date.ts'
import { currentLocation, navigate } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { clientOf } from '../../rpc/client.ts'
import type { DimensionName } from './dimensions.ts'
import {
  type AskedRange,
  type AsOf,
  askedRange,
  overviewRequest,
  type TableQuery,
  tableRequest,
} from './requests.ts'
import { filterOfRow, readState, toggleFilter, type ViewState, writeState } from './view-state.ts'

const webClient = clientOf(WebAnalyticsService)

/** The context that the parts of the page share: the state in the address, and the time of the answers. */
export interface OverviewView {
  readonly state: () => ViewState
  readonly asked: () => AskedRange
  readonly asOf: () => AsOf
  /** When the answers were queried. */
  readonly askedMs: () => number
  /** Whether the range is not yet known, so that nothing is queried. */
  readonly isWaiting: () => boolean
  readonly projectId: () => string
  readonly change: (changed: Partial<ViewState>) => void
  /** Filters by a row of a panel; a row that already filters is removed. */
  readonly choose: (
    row: { readonly dimension: DimensionName; readonly value: string },
    mode: 'is' | 'is not',
  ) => void
  /** Repeats all queries, up to now. */
  readonly refresh: () => void
}

const ViewContext = createContext<OverviewView>()

/** Provides the view to the parts of the page. */
export const OverviewViewProvider = ViewContext.Provider

/** The view of the page. */
export function useView(): OverviewView {
  const view = useContext(ViewContext)
  if (!view) throw new Error('this part has no overview around it')
  return view
}

/** The view of the current address. */
export function createOverviewView(): OverviewView {
  const workspace = useWorkspace()
  const [askedMs, setAskedMs] = createSignal(Date.now())
  const state = createMemo(() => readState(currentLocation().query))
  const first = createFirstDate(() => state().period === 'all-time')
  const asOf = createMemo((): AsOf => {
    const nowMs = endOfRanges(askedMs())
    const { timeZone } = workspace()
    return { nowMs, timeZone, today: dateOf(nowMs, timeZone), firstDate: first.date() }
  })
  const asked = createMemo(() => askedRange(state(), asOf()))
  const change = (changed: Partial<ViewState>): void => {
    const { path, query } = currentLocation()
    const written = writeState(query, { ...state(), ...changed })
    navigate(written.size === 0 ? path : `${path}?${written}`)
  }
  return {
    state,
    asked,
    asOf,
    askedMs,
    isWaiting: first.isPending,
    projectId: () => workspace().project.id,
    change,
    choose: (row, mode) => change({ filters: toggleFilter(state().filters, filterOfRow(row, mode)) }),
    refresh: () => void setAskedMs(Date.now()),
  }
}

/** An answer that is shown, and whether it is an older one while a newer one is on its way. */
export interface Shown<Answer> {
  readonly answer: () => Answer | undefined
  readonly isOld: () => boolean
  readonly failure: () => unknown
  readonly retry: () => void
}

/** Reading `data` before the first answer would suspend the whole page. */
export function shownOf<Answer>(query: UseQueryResult<Answer>): Shown<Answer> {
  return {
    answer: () => (query.isSuccess ? query.data : undefined),
    isOld: () => query.isPlaceholderData || (query.isSuccess && query.isFetching),
    failure: () => (query.isError ? query.error : undefined),
    retry: () => void query.refetch(),
  }
}

/** The inputs of an answer, as text. */
function keyOf({ state, asked }: OverviewView): string {
  const { range, shift } = asked()
  return JSON.stringify([range, shift, state().filters, state().cohorts])
}

/** The strip and the chart. */
export function useOverview(view: OverviewView): Shown<QueryOverviewResponse> {
  return shownOf(
    useQuery(() => ({
      queryKey: ['web-overview', view.projectId(), keyOf(view), view.asked().interval],
      queryFn: async () => await webClient.queryOverview(overviewRequest(view.state(), view.asked())),
      enabled: !view.isWaiting(),
      placeholderData: (before: QueryOverviewResponse | undefined) => before,
    })),
  )
}

/** The rows of a dimension. While other rows of the same dimension load, the old ones stay. */
export function useTable(view: OverviewView, table: () => TableQuery): Shown<QueryTableResponse> {
  return shownOf(
    useQuery(() => ({
      queryKey: ['web-table', view.projectId(), table().dimension, keyOf(view), JSON.stringify(table())],
      queryFn: async () => await webClient.queryTable(tableRequest(view.state(), view.asked(), table())),
      enabled: !view.isWaiting(),
      placeholderData: (
        before: QueryTableResponse | undefined,
        query: { readonly queryKey: readonly unknown[] } | undefined,
      ) => (query?.queryKey[2] === table().dimension ? before : undefined),
    })),
  )
}

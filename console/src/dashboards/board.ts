import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import type { Dashboard, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { dateOf } from '@domain/calendar.ts'
import { type DatePeriod, writeDatePeriod } from '@domain/date-periods.ts'
import { endOfRanges, presetName } from '@domain/time-ranges.ts'
import { type Accessor, createContext, createMemo, createSignal, useContext } from 'solid-js'
import { createFirstDate } from '../context/first-date.ts'
import { currentLocation, navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { type AsOf, type BoardRange, rangeOfBoard } from './board-range.ts'
import {
  type BoardState,
  isSameBoardState,
  periodOfPreset,
  readBoardState,
  writeBoardState,
} from './board-state.ts'
import { changeTiles, keepDashboard } from './change-tiles.ts'

const dashboardsClient = clientOf(DashboardsService)

/** Settings of a dashboard; those that are absent stay. */
export interface BoardSettings {
  readonly displayName?: string
  readonly description?: string
  readonly defaultTimeRange?: TimeRangePreset
  readonly defaultGranularity?: Granularity
  readonly isPublic?: boolean
  readonly isRangePinned?: boolean
  /** The empty text removes the password. */
  readonly sharePassword?: string
  /** The epoch stands for no expiry. */
  readonly shareExpireTime?: Timestamp
  readonly isEmbeddable?: boolean
}

/** A dashboard, the state of the line above its tiles, and the time of its answers. */
export interface Board {
  readonly dashboard: Accessor<Dashboard>
  readonly projectId: Accessor<string>
  /** The period, comparison and filters of the address. */
  readonly state: Accessor<BoardState>
  readonly change: (changed: Partial<BoardState>) => void
  readonly period: Accessor<DatePeriod>
  /** Whether the period is the stored one of the dashboard. */
  readonly isStoredPeriod: Accessor<boolean>
  readonly range: Accessor<BoardRange>
  readonly asOf: Accessor<AsOf>
  /** Whether the range is not yet known, so that no tile is queried. */
  readonly isWaiting: Accessor<boolean>
  /** Queries every tile again, up to now. */
  readonly refresh: () => void
  /** Changes the stored tiles. Throws the errors of the calls. */
  readonly store: (
    change: (tiles: readonly DashboardTileInput[]) => readonly DashboardTileInput[],
  ) => Promise<Dashboard>
  /** Changes the stored settings. Throws the errors of the calls. */
  readonly update: (settings: BoardSettings) => Promise<void>
}

const BoardContext = createContext<Board>()

/** Provides the dashboard to the parts of its page. */
export const BoardProvider = BoardContext.Provider

/** The dashboard of the page. */
export function useBoard(): Board {
  const board = useContext(BoardContext)
  if (!board) throw new Error('this part has no dashboard around it')
  return board
}

/** The dashboard of a page, in the period, comparison and filters of the address. */
export function createBoard(dashboard: Accessor<Dashboard>): Board {
  const workspace = useWorkspace()
  const readNow = (): AsOf => {
    const nowMs = endOfRanges(Date.now())
    const { timeZone } = workspace()
    return { nowMs, timeZone, today: dateOf(nowMs, timeZone) }
  }
  const [now, setNow] = createSignal(readNow())
  const projectId = (): string => workspace().project.id
  // Other parts of the page write their own parameters, which must not draw every tile anew.
  const state = createMemo(() => readBoardState(currentLocation().query), undefined, {
    equals: isSameBoardState,
  })
  const stored = (): DatePeriod => periodOfPreset(presetName(dashboard().defaultTimeRange))
  const period = (): DatePeriod => state().period ?? stored()
  const first = createFirstDate(() => period() === 'all-time')
  const asOf = createMemo((): AsOf => ({ ...now(), firstDate: first.date() }))
  return {
    dashboard,
    projectId,
    state,
    change: (changed) => {
      const { path, query } = currentLocation()
      const written = writeBoardState(query, { ...state(), ...changed })
      navigate(written.size === 0 ? path : `${path}?${written}`)
    },
    period,
    isStoredPeriod: () => writeDatePeriod(period()) === writeDatePeriod(stored()),
    range: createMemo(() => rangeOfBoard(period(), asOf())),
    asOf,
    isWaiting: first.isPending,
    refresh: () => void setNow(readNow()),
    store: async (change) => await changeTiles(dashboard().id, change),
    update: async (settings) => {
      const { dashboard: changed } = await dashboardsClient.update({ id: dashboard().id, ...settings })
      if (changed) keepDashboard(changed)
    },
  }
}

import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type {
  RenderedDashboard,
  RenderedTile,
} from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { SharedDashboardsService } from '@contract/public/dashboards/v1/shared_dashboards_service_pb.js'
import { sumTotals } from '@domain/insights/totals.ts'
import type { RangeMs } from '@domain/time-ranges.ts'
import { createMemo } from 'solid-js'
import { t } from '../i18n/translate.ts'
import type { Result } from '../insights/model/insight-type.ts'
import { toTimeRange } from '../insights/period.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import type { ShownAnswer, TileAnswer } from './tile-answer.ts'
import { specOfTile } from './tile-view.ts'

const sharedDashboardsClient = clientOf(SharedDashboardsService)

/** A shared dashboard with its answers, and the time zone of its buckets. */
export interface Share {
  readonly dashboard: RenderedDashboard
  readonly timeZone: string
  /** Replaces the password of the request in further ones; empty for a request without one. */
  readonly grant: string
  /** Names of the cohorts that split the answers, by id. */
  readonly cohortNames: Readonly<Record<string, string>>
  /** Where all time begins; absent for another range, and in a project without events. */
  readonly firstDate?: string
}

/** What a reader asks for: the dashboard in its own range unless another is given. */
export interface ShareView {
  readonly range?: RangeMs | 'all-time' | undefined
  readonly isPrevious?: boolean
}

/** Where the answers of a shared dashboard come from. */
export interface ShareSource {
  /** The key of its answers among those that pages share. */
  readonly key: readonly string[]
  /** Throws the errors of the call. */
  readonly read: (view: ShareView, signal: AbortSignal) => Promise<Share>
}

/** Whether a share has a password that the reader has not entered, or not since it was changed. */
export function isLocked(error: unknown): boolean {
  return Failure.from(error).reason === 'SHARE_PASSWORD_REQUIRED'
}

/** The range and the period of a request. */
export function requestOfView({ range, isPrevious = false }: ShareView) {
  return {
    previousPeriod: isPrevious,
    // It begins with the first event, which only the service can find.
    allTime: range === 'all-time',
    ...(range !== undefined && range !== 'all-time' && { timeRange: toTimeRange(range) }),
  }
}

/** Reads a dashboard that is shared by link. Throws the errors of the call. */
export async function readShare(
  asked: ShareView & {
    readonly shareId: string
    readonly password?: string
    /** Empty for a share without a password, and before it is entered. */
    readonly grant?: string
  },
  signal: AbortSignal,
): Promise<Share> {
  let timeZone = 'UTC'
  const { dashboard, grant, cohortNames, firstDate } = await sharedDashboardsClient.query(
    {
      shareId: asked.shareId,
      password: asked.password ?? '',
      grant: asked.grant ?? '',
      ...requestOfView(asked),
    },
    {
      signal,
      onHeader: (header) => {
        timeZone = header.get('x-time-zone') ?? timeZone
      },
    },
  )
  if (!dashboard) throw new Failure({ code: 'not_found', message: t('dashboards.gone') })
  return { dashboard, timeZone, grant, cohortNames, ...(firstDate !== '' && { firstDate }) }
}

function outcomeOf(
  dashboard: RenderedDashboard | undefined,
  { id }: DashboardTile,
): RenderedTile['outcome'] | undefined {
  return dashboard?.tiles.find(({ tile }) => tile?.id === id)?.outcome
}

function resultOf(outcome: RenderedTile['outcome'] | undefined): Result | undefined {
  return outcome?.case === 'result' ? outcome.value.result : undefined
}

/** The answer of a tile of a shared dashboard, whose tiles are answered together. */
export function answerOfShare(of: {
  readonly tile: () => DashboardTile
  readonly rendered: () => RenderedDashboard
  /** Present once the previous period is answered, where a tile compares. */
  readonly previous: () => RenderedDashboard | undefined
  readonly isOld: () => boolean
}): ShownAnswer {
  const answer = createMemo((): TileAnswer | undefined => {
    const result = resultOf(outcomeOf(of.rendered(), of.tile()))
    if (!result) return undefined
    const previous = of.tile().compare === 0 ? undefined : resultOf(outcomeOf(of.previous(), of.tile()))
    return { result, previous, totals: sumTotals(specOfTile(of.tile()), { result, previous }) }
  })
  return {
    answer,
    isOld: of.isOld,
    failure: () => {
      const outcome = outcomeOf(of.rendered(), of.tile())
      return outcome?.case === 'errorMessage'
        ? new Failure({ code: 'unknown', message: t('ui.answered', { message: outcome.value }) })
        : undefined
    },
    retry: undefined,
  }
}

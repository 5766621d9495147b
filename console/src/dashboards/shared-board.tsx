import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { dateOf } from '@domain/calendar.ts'
import type { DatePeriod, Today } from '@domain/date-periods.ts'
import { endOfRanges, presetName, type RangeMs } from '@domain/time-ranges.ts'
import { useQuery } from '@tanstack/solid-query'
import { createEffect, createMemo, type JSX, Show } from 'solid-js'
import { currentLocation, navigate, stateBrokenLink } from '../context/router.ts'
import { nameCohorts } from '../format/cohort-names.ts'
import { formatRange } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { DateRangePicker } from '../ui/date-range-picker.tsx'
import { PageBar } from '../ui/page-bar.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { BoardDescription } from './board-description.tsx'
import { type AsOf, rangeOfBoard } from './board-range.ts'
import { hasBrokenPeriod, periodOfPreset, readBoardState, writeBoardState } from './board-state.ts'
import { answerOfShare, type Share, type ShareSource } from './shared-answers.ts'
import { Tile, TileText } from './tile.tsx'
import { TileGrid, type TileProps } from './tile-grid.tsx'
import { TileResult } from './tile-result.tsx'

/** A dashboard for readers who can do nothing but choose its range: the holders of its link, and guests. */
export function SharedBoard(props: {
  readonly source: ShareSource
  /** The dashboard in its own range. */
  readonly share: Share
  /** The name, and what leads to it. */
  readonly head?: JSX.Element
  /** Whether an error says that the reader may no longer see it. */
  readonly isOver: (error: unknown) => boolean
  readonly onOver: () => void
}): JSX.Element {
  const dashboard = (): RenderedDashboard => props.share.dashboard
  if (!dashboard().isRangePinned) stateBrokenLink(hasBrokenPeriod)
  const nowMs = endOfRanges(Date.now())
  const asOf = (): AsOf => {
    const { timeZone } = props.share
    return { nowMs, timeZone, today: dateOf(nowMs, timeZone) }
  }
  // The service refuses another range than a pinned one.
  const chosen = (): DatePeriod | undefined =>
    dashboard().isRangePinned ? undefined : readBoardState(currentLocation().query).period
  const period = (): DatePeriod => chosen() ?? periodOfPreset(presetName(dashboard().defaultTimeRange))
  const range = createMemo(() => rangeOfBoard(period(), asOf()).range)
  const asked = (): RangeMs | 'all-time' | undefined =>
    chosen() === 'all-time' ? 'all-time' : chosen() && range()
  const ask = (time: 'current' | 'previous', isNeeded: () => boolean) =>
    useQuery(() => ({
      queryKey: [...props.source.key, asked() ?? 'stored', time],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        await props.source.read({ range: asked(), isPrevious: time === 'previous' }, signal),
      enabled: isNeeded(),
      placeholderData: (before: Share | undefined) => before,
    }))
  const current = ask('current', () => chosen() !== undefined)
  const isCompared = createMemo(() => dashboard().tiles.some(({ tile }) => (tile?.compare ?? 0) !== 0))
  const previous = ask('previous', isCompared)
  createEffect(() => {
    if ([current, previous].some(({ isError, error }) => isError && props.isOver(error))) props.onOver()
  })
  const shown = (): RenderedDashboard =>
    chosen() !== undefined && current.isSuccess ? current.data.dashboard : dashboard()
  createEffect(() => {
    const names = { ...props.share.cohortNames, ...(current.isSuccess && current.data.cohortNames) }
    nameCohorts(Object.entries(names).map(([id, name]) => ({ id, name })))
  })
  const firstDate = (): string | undefined => (current.isSuccess ? current.data.firstDate : undefined)
  const tiles = createMemo(() => shown().tiles.flatMap(({ tile }) => tile ?? []))
  return (
    <>
      <PageBar>
        <Show when={props.head} fallback={<Brand name={dashboard().displayName} />}>
          {props.head}
        </Show>
        <Show
          when={!dashboard().isRangePinned}
          fallback={<p class="board-description">{formatRange(range(), asOf().timeZone)}</p>}
        >
          <SharedRange period={period()} today={asOf().today} firstDate={firstDate()} />
        </Show>
      </PageBar>
      <div class="board-line">
        <Show when={dashboard().description}>{(text) => <BoardDescription text={text()} />}</Show>
        <p class="board-zone">{t('dashboards.timesIn', { zone: asOf().timeZone })}</p>
      </div>
      <Show when={current.isError}>
        <ErrorState
          title={t('dashboards.failed')}
          error={current.error}
          onRetry={() => void current.refetch()}
        />
      </Show>
      <Show when={tiles().length > 0} fallback={<EmptyState title={t('dashboards.emptyTitle')} />}>
        <TileGrid
          tiles={tiles()}
          draw={(tile) => (
            <SharedTile
              {...tile}
              tile={tile.tile}
              rendered={shown()}
              previous={
                previous.isSuccess && !previous.isPlaceholderData ? previous.data.dashboard : undefined
              }
              isOld={current.isPlaceholderData || (chosen() !== undefined && current.isPending)}
              timeZone={asOf().timeZone}
            />
          )}
        />
      </Show>
    </>
  )
}

/** The head of a page without the frame of the console. */
function Brand(props: { readonly name: string }): JSX.Element {
  return (
    <div class="board-brand">
      <img src="/favicon.svg" alt="" width="26" height="26" />
      <h1 class="ui-ellipsis">{props.name}</h1>
    </div>
  )
}

function SharedRange(props: Today & { readonly period: DatePeriod }): JSX.Element {
  return (
    <DateRangePicker
      period={props.period}
      today={props.today}
      firstDate={props.firstDate}
      onChange={(period) => {
        const { path, query } = currentLocation()
        const written = writeBoardState(query, { ...readBoardState(query), period })
        navigate(`${path}?${written}`)
      }}
    />
  )
}

function SharedTile(
  props: TileProps & {
    readonly rendered: RenderedDashboard
    readonly previous: RenderedDashboard | undefined
    readonly isOld: boolean
    readonly timeZone: string
  },
): JSX.Element {
  const shown = answerOfShare({
    tile: () => props.tile,
    rendered: () => props.rendered,
    previous: () => props.previous,
    isOld: () => props.isOld,
  })
  const isText = (tile: DashboardTile): boolean => tile.content.case === 'markdown'
  return (
    <Tile tile={props.tile} mode="shown" isOld={props.isOld}>
      <Show when={!isText(props.tile)} fallback={<TileText tile={props.tile} />}>
        <TileResult tile={props.tile} shown={shown} timeZone={props.timeZone} />
      </Show>
    </Tile>
  )
}

import '../dashboards/messages.ts'
import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { dateOf } from '@domain/calendar.ts'
import type { DatePeriod, Today } from '@domain/date-periods.ts'
import { endOfRanges, presetName, type RangeMs } from '@domain/time-ranges.ts'
import { useQuery, useQueryClient } from '@tanstack/solid-query'
import { createEffect, createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { currentLocation, navigate } from '../context/router.ts'
import { type AsOf, rangeOfBoard } from '../dashboards/board-range.ts'
import { periodOfPreset, readBoardState, writeBoardState } from '../dashboards/board-state.ts'
import { ShareUnlock } from '../dashboards/share-unlock.tsx'
import { answerOfShare, isLocked, readShare, type Share } from '../dashboards/shared-answers.ts'
import { Tile, TileText } from '../dashboards/tile.tsx'
import { TileGrid, type TileProps } from '../dashboards/tile-grid.tsx'
import { TileResult } from '../dashboards/tile-result.tsx'
import { nameCohorts } from '../format/cohort-names.ts'
import { formatRange } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { DateRangePicker } from '../ui/date-range-picker.tsx'
import { PageBar } from '../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../ui/states.tsx'

/** The public page of a dashboard. */
export function SharedDashboardPage(props: { readonly shareId: string }): JSX.Element {
  const [grant, setGrant] = createSignal('')
  // The grant ends while the page is open.
  const [isOver, setOver] = createSignal(false)
  const stored = useQuery(() => ({
    queryKey: ['share', props.shareId, grant()],
    queryFn: async ({ signal }) => await readShare({ shareId: props.shareId, grant: grant() }, signal),
  }))
  const share = (): Share | undefined => (stored.isSuccess ? stored.data : undefined)
  createEffect(() => {
    const name = share()?.dashboard.displayName
    if (name !== undefined) document.title = `${name} · Millrace`
  })
  const queries = useQueryClient()
  const unlock = (unlocked: Share): void => {
    // The answer to the password is the dashboard already.
    queries.setQueryData(['share', props.shareId, unlocked.grant], unlocked)
    setGrant(unlocked.grant)
    setOver(false)
  }
  return (
    <main class="board shared-board">
      <Switch fallback={<SkeletonLines count={8} />}>
        <Match when={isOver() || (stored.isError && isLocked(stored.error))}>
          <ShareUnlock shareId={props.shareId} onUnlock={unlock} />
        </Match>
        <Match when={stored.isError}>
          <ErrorState
            title={t('dashboards.failed')}
            error={stored.error}
            onRetry={() => void stored.refetch()}
          />
        </Match>
        <Match when={share()}>
          {(shown) => (
            <Board shareId={props.shareId} grant={grant()} share={shown()} onLock={() => setOver(true)} />
          )}
        </Match>
      </Switch>
    </main>
  )
}

function Board(props: {
  readonly shareId: string
  readonly grant: string
  readonly share: Share
  /** The grant has ended, or the password has changed. */
  readonly onLock: () => void
}): JSX.Element {
  const dashboard = (): RenderedDashboard => props.share.dashboard
  const nowMs = endOfRanges(Date.now())
  const asOf = (): AsOf => {
    const { timeZone } = props.share
    return { nowMs, timeZone, today: dateOf(nowMs, timeZone) }
  }
  // The service refuses another range than that of a pinned link.
  const chosen = (): DatePeriod | undefined =>
    dashboard().isRangePinned ? undefined : readBoardState(currentLocation().query).period
  const period = (): DatePeriod => chosen() ?? periodOfPreset(presetName(dashboard().defaultTimeRange))
  const range = createMemo(() => rangeOfBoard(period(), asOf()).range)
  const asked = (): RangeMs | 'all-time' | undefined =>
    chosen() === 'all-time' ? 'all-time' : chosen() && range()
  const ask = (time: 'current' | 'previous', isNeeded: () => boolean) =>
    useQuery(() => ({
      queryKey: ['share', props.shareId, props.grant, asked() ?? 'stored', time],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const { shareId, grant } = props
        return await readShare({ shareId, grant, range: asked(), isPrevious: time === 'previous' }, signal)
      },
      enabled: isNeeded(),
      placeholderData: (before: Share | undefined) => before,
    }))
  const current = ask('current', () => chosen() !== undefined)
  const isCompared = createMemo(() => dashboard().tiles.some(({ tile }) => (tile?.compare ?? 0) !== 0))
  const previous = ask('previous', isCompared)
  createEffect(() => {
    if ([current, previous].some(({ isError, error }) => isError && isLocked(error))) props.onLock()
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
        <h1 class="ui-ellipsis">{dashboard().displayName}</h1>
        <Show
          when={!dashboard().isRangePinned}
          fallback={<p class="board-description">{formatRange(range(), asOf().timeZone)}</p>}
        >
          <SharedRange period={period()} today={asOf().today} firstDate={firstDate()} />
        </Show>
      </PageBar>
      <div class="board-line">
        <Show when={dashboard().description}>{(text) => <p class="board-description">{text()}</p>}</Show>
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

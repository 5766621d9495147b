import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import {
  createMemo,
  createSignal,
  type JSX,
  Match,
  onCleanup,
  onMount,
  Show,
  Suspense,
  Switch,
  untrack,
} from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { createFirstDate } from '../../context/first-date.ts'
import { readPreference, writePreference } from '../../context/preference.ts'
import { RemountOnNavigation } from '../../context/remount.tsx'
import { stateBrokenLink } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatShortTime } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { pathOfFilter } from '../../insights/model/filters.ts'
import { createCatalog } from '../../picker/catalog.ts'
import { FilterChips } from '../../picker/filter-chips.tsx'
import { isComplete } from '../../picker/filter-draft.ts'
import { EventChip } from '../../picker/query-chips.tsx'
import type { Failure } from '../../rpc/failure.ts'
import { textOfField } from '../../rpc/failure-text.ts'
import { Button } from '../../ui/button.tsx'
import { ChipPart, FilterChip } from '../../ui/chip.tsx'
import { ColumnMenu } from '../../ui/column-menu.tsx'
import { lazy } from '../../ui/lazy.ts'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { COLUMNS_MAX, columnsOf, readColumns, titleOfColumn, writeColumns } from './live-columns.ts'
import { EventRows } from './live-rows.tsx'
import './live.css'
import { LiveBar } from './live-bar.tsx'
import { createLiveFeed, type LiveFeed } from './live-feed.ts'
import { useEventKeys } from './live-keys.ts'
import { neighbourOf } from './live-model.ts'
import { LiveNow } from './live-now.tsx'
import { LiveRange } from './live-range.tsx'
import { createLiveView, isBroken, type LiveView } from './live-view.ts'
import './messages.ts'

const FirstRun = lazy(async () => ({ default: (await import('../first-run/first-run.tsx')).FirstRun }))

/** A list that is scrolled further than this keeps its rows where they are. */
const SCROLLED_PX = 120

/** Ages of rows are right to this many milliseconds. */
const TICK_MS = 1000

/** Events as they arrive; before the first one, instructions to send it. */
export function LivePage(): JSX.Element {
  return (
    <RemountOnNavigation>
      <LiveContent />
    </RemountOnNavigation>
  )
}

function LiveContent(): JSX.Element {
  stateBrokenLink(isBroken)
  const view = createLiveView()
  const [isPaused, setPaused] = createSignal(false)
  const [opened, setOpened] = createSignal<ActivityEvent>()
  const isScrolled = createScrolled()
  const nowMs = createClock(TICK_MS)
  const workspace = useWorkspace()
  const first = createFirstDate(() => view.state().period === 'all-time')
  const feed = createLiveFeed({
    query: view.query,
    isHeld: () => isPaused() || isScrolled() || opened() !== undefined,
    now: () => ({ nowMs: Date.now(), timeZone: workspace().timeZone }),
  })
  const isFirstRun = createFirstRun(() => feed.events()?.length === 0 && !view.isNarrowed())
  const togglePaused = (): void => void setPaused(!isPaused())
  const choose = (change: Parameters<LiveView['change']>[0]): void => {
    setOpened(undefined)
    view.change(change)
  }
  return (
    <Show
      when={!isFirstRun.value()}
      fallback={
        <Suspense>
          <FirstRun onDone={isFirstRun.end} />
        </Suspense>
      }
    >
      <div class="live" data-page="full">
        <LiveBar isPaused={isPaused()} feed={feed} view={view} onPause={togglePaused} />
        <LiveNow feed={feed} view={view} />
        <Events
          feed={feed}
          view={view}
          opened={opened()}
          nowMs={nowMs()}
          firstDate={first.date()}
          onOpen={setOpened}
        />
        <Show when={opened()}>
          {(event) => (
            <EventDrawer
              event={event()}
              person={feed.personOf(event().distinctId)}
              nowMs={nowMs()}
              onClose={() => setOpened(undefined)}
              onFilterEvent={(kind) => choose({ kind })}
              onFilterSession={(sessionId) => choose({ sessionId })}
              onFilterProperty={(property, value) =>
                choose({
                  filters: [
                    ...view.state().filters,
                    { ...property, operator: 'FILTER_OPERATOR_EQUALS', values: [value] },
                  ],
                })
              }
            />
          )}
        </Show>
      </div>
    </Show>
  )
}

/** The first run begins when the project has no event, and stays until the reader ends it: it shows the first event itself. */
function createFirstRun(hasNoEvents: () => boolean): { value: () => boolean; end: () => void } {
  const [isEnded, setEnded] = createSignal(false)
  const value = createMemo<boolean>((before) => !isEnded() && (before || hasNoEvents()), false)
  return { value, end: () => setEnded(true) }
}

function createScrolled(): () => boolean {
  const [isScrolled, setScrolled] = createSignal(false)
  const follow = (): void => void setScrolled(scrollY > SCROLLED_PX)
  onMount(() => addEventListener('scroll', follow, { passive: true }))
  onCleanup(() => removeEventListener('scroll', follow))
  return isScrolled
}

interface EventsProps {
  readonly feed: LiveFeed
  readonly view: LiveView
  readonly opened: ActivityEvent | undefined
  readonly nowMs: number
  readonly firstDate: string | undefined
  readonly onOpen: (event: ActivityEvent) => void
}

function Events(props: EventsProps): JSX.Element {
  const [columns, setColumns] = createLiveColumns()
  const absent = createMemo(() =>
    columnsOf(props.feed.events() ?? []).filter((key) => !columns().includes(key)),
  )
  useEventKeys({
    isOpened: () => props.opened !== undefined,
    open: (step) => {
      const next = props.opened && neighbourOf(props.feed.events() ?? [], props.opened, step)
      if (next) props.onOpen(next)
    },
  })
  const goToTop = (): void => {
    scrollTo({ top: 0 })
    props.feed.release()
  }
  return (
    <section class="ui-card live-events" aria-label={t('live.events')}>
      <header class="live-head">
        <h2>{t('live.events')}</h2>
        <Narrowing view={props.view} failure={props.feed.failure()} />
        <span class="live-new" role="status">
          <Show when={props.feed.newCount() > 0}>
            <Button size="small" class="live-more" icon={<ArrowUp />} onClick={goToTop}>
              {t('live.newEvents', { count: props.feed.newCount() })}
            </Button>
          </Show>
        </span>
        <div class="live-controls">
          <LiveRange view={props.view} firstDate={props.firstDate} />
          <ColumnMenu
            shown={columns()}
            absent={absent()}
            titleOf={titleOfColumn}
            columnsMax={COLUMNS_MAX}
            onChange={setColumns}
            onReset={() => setColumns([])}
          />
        </div>
      </header>
      <List {...props} columns={columns()} />
    </section>
  )
}

/** The columns of the list beside those that it always has, which a person chooses for each project. */
function createLiveColumns() {
  const workspace = useWorkspace()
  const name = untrack(() => `live_columns_${workspace().project.id}`)
  const [columns, setColumns] = createSignal(readColumns(readPreference(name)))
  const change = (chosen: readonly string[]): void => {
    writePreference(name, writeColumns(chosen))
    setColumns(chosen)
  }
  return [columns, change] as const
}

/** The conditions of the list as chips. */
function Narrowing(props: { readonly view: LiveView; readonly failure: Failure | undefined }): JSX.Element {
  const workspace = useWorkspace()
  const catalog = createCatalog()
  onMount(catalog.load)
  const state = () => props.view.state()
  const problemAt = (at: number): string | undefined => {
    const filter = state().filters[at]
    if (!filter || !isComplete(filter)) return undefined
    const path = pathOfFilter('propertyFilters', state().filters, at)
    const { failure } = props
    const field = [...(failure?.violations.keys() ?? [])].find((name) => name.startsWith(path))
    return failure && field && textOfField(failure, field)
  }
  const removable = (name: string, text: string, remove: () => void): JSX.Element => (
    <FilterChip name={name} removeName={t('common.remove')} onRemove={remove}>
      <ChipPart disabled>{text}</ChipPart>
    </FilterChip>
  )
  return (
    <div class="live-chips">
      <EventChip
        catalog={catalog}
        event={state().kind}
        onChoose={({ event }) => props.view.change({ kind: event })}
      />
      <Show when={state().minuteMs}>
        {(minuteMs) => {
          const text = (): string =>
            t('live.until', { time: formatShortTime(minuteMs() + 60_000, workspace().timeZone) })
          return removable(text(), text(), () => props.view.change({ minuteMs: undefined }))
        }}
      </Show>
      <Show when={state().sessionId}>
        {(sessionId) => {
          const text = (): string => `${t('live.session')} ${sessionId().slice(-6)}`
          return removable(text(), text(), () => props.view.change({ sessionId: '' }))
        }}
      </Show>
      <FilterChips
        catalog={catalog}
        filters={state().filters}
        event={state().kind}
        role="main"
        problem={problemAt}
        onChange={(filters) => props.view.change({ filters })}
      />
    </div>
  )
}

function List(props: EventsProps & { readonly columns: readonly string[] }): JSX.Element {
  const failure = () => props.feed.failure()
  const events = () => props.feed.events()
  return (
    <>
      <Switch>
        <Match when={failure() && (failure()?.isFinal || !events())}>
          <div class="live-hint">
            <ErrorState title={t('live.failed')} error={failure()} onRetry={props.feed.retry} />
          </div>
        </Match>
        <Match when={failure()}>
          <p class="live-lost" role="alert">
            {t('live.reconnecting')}
          </p>
        </Match>
      </Switch>
      <Show
        when={events()}
        fallback={
          <Show when={!failure()}>
            <div class="live-hint">
              <SkeletonLines count={12} heightPx={20} />
            </div>
          </Show>
        }
      >
        {(rows) => (
          <div data-lost={failure() ? '' : undefined} class="live-rows">
            <Show when={rows().length > 0} fallback={<NoMatch view={props.view} />}>
              <EventRows
                events={rows()}
                opened={props.opened}
                personOf={props.feed.personOf}
                nowMs={props.nowMs}
                columns={props.columns}
                isOfPeriod={props.view.state().period !== undefined}
                onOpen={(event) => props.onOpen(event)}
              />
              <Show when={props.feed.hasOlder()}>
                <p class="live-older">
                  <Button size="small" tone="ghost" onClick={() => void props.feed.showOlder()}>
                    {t('live.showOlder')}
                  </Button>
                </p>
              </Show>
            </Show>
          </div>
        )}
      </Show>
    </>
  )
}

function NoMatch(props: { readonly view: LiveView }): JSX.Element {
  return (
    <div class="live-hint">
      <EmptyState
        title={t('live.noMatch')}
        text={t('live.noMatchText')}
        actions={<Button onClick={() => props.view.clear()}>{t('overview.clearFilters')}</Button>}
      />
    </div>
  )
}

import type { VisitsServiceListResponse } from '@contract/millrace/web/v1/visits_service_pb.js'
import Footprints from 'lucide-solid/icons/footprints'
import { createEffect, createMemo, createSignal, type JSX, Match, on, Show, Switch } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { hasUnreadable } from '../../context/route.ts'
import { currentLocation, replaceParameters, stateBrokenLink } from '../../context/router.ts'
import { t } from '../../i18n/translate.ts'
import { parseAllFilters } from '../../insights/model/filters.ts'
import { createPaging, Pager, type Paging } from '../../people/paged-list.tsx'
import { Button } from '../../ui/button.tsx'
import { DateRangePicker } from '../../ui/date-range-picker.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import '../overview/overview.css'
import { OverviewAge } from '../overview/overview-bar.tsx'
import {
  createOverviewView,
  type OverviewView,
  OverviewViewProvider,
  type Shown,
} from '../overview/overview-view.ts'
import '../people/people-list.css'
import '../../people/people.css'
import { neighbourOf } from './describe-session.ts'
import './messages.ts'
import { isBroken } from '../overview/view-state.ts'
import { SessionChips } from './session-chips.tsx'
import { createSessionConditions } from './session-conditions.ts'
import { SessionDrawer } from './session-drawer.tsx'
import {
  keyOfList,
  PAGE_SESSIONS,
  type SessionQuery,
  useSessionCount,
  useSessions,
} from './session-queries.ts'
import { SessionTable } from './session-table.tsx'
import './sessions.css'

/** The sessions of a period, the latest first; one of them open beside the list. The address is the state. */
export function SessionsPage(): JSX.Element {
  stateBrokenLink((query) => isBroken(query) || hasUnreadable(query, { filters: parseAllFilters }))
  const view = createOverviewView()
  const query: SessionQuery = { view, conditions: createSessionConditions() }
  const paging = createPaging()
  const key = createMemo(() => keyOfList(query))
  createEffect(on(key, paging.reset, { defer: true }))
  return (
    <OverviewViewProvider value={view}>
      <div class="people-page" data-page="full">
        <SessionsBar view={view} />
        <div class="overview-line">
          <SessionChips conditions={query.conditions} />
          <OverviewAge />
        </div>
        <SessionList query={query} paging={paging} />
      </div>
    </OverviewViewProvider>
  )
}

function SessionsBar(props: { readonly view: OverviewView }): JSX.Element {
  const [isRangeOpen, setRangeOpen] = createSignal(false)
  useKeys([{ keys: 'd', label: t('ui.chooseDate'), run: () => setRangeOpen(true) }])
  return (
    <PageBar>
      <h1>{t('shell.sessions')}</h1>
      <DateRangePicker
        period={props.view.state().period}
        today={props.view.asOf().today}
        firstDate={props.view.asOf().firstDate}
        isOpen={isRangeOpen()}
        onOpenChange={setRangeOpen}
        onChange={(period) => props.view.change({ period, interval: undefined })}
      />
    </PageBar>
  )
}

function SessionList(props: { readonly query: SessionQuery; readonly paging: Paging }): JSX.Element {
  const list = useSessions(props.query, props.paging)
  const counted = useSessionCount(props.query)
  const count = (): number | undefined => counted() ?? countOfLastPage(list, props.paging)
  const opened = createOpened(() => list.answer()?.visits.map(({ sessionId }) => sessionId) ?? [])
  return (
    <>
      <p class="people-count" role="status">
        {count() === undefined ? '\u00a0' : t('people.sessionCount', { count: count() ?? 0 })}
      </p>
      <Switch fallback={<SkeletonLines count={12} heightPx={28} />}>
        <Match when={list.failure()}>
          {(error) => <ErrorState title={t('sessions.failed')} error={error()} onRetry={list.retry} />}
        </Match>
        <Match when={list.answer()?.visits.length === 0}>
          <NoSessions query={props.query} />
        </Match>
        <Match when={list.answer()}>
          {(answer) => (
            <SessionCard
              answer={answer()}
              isOld={list.isOld()}
              count={count()}
              paging={props.paging}
              opened={opened}
            />
          )}
        </Match>
      </Switch>
      <Show when={opened.id() !== ''}>
        <SessionDrawer
          sessionId={opened.id()}
          onNext={opened.step(1)}
          onPrevious={opened.step(-1)}
          onClose={() => replaceParameters({ session: '' })}
        />
      </Show>
    </>
  )
}

/** The last page shows how many there are. */
function countOfLastPage(list: Shown<VisitsServiceListResponse>, paging: Paging): number | undefined {
  const answer = list.answer()
  if (!answer || list.isOld() || answer.nextPageToken !== '') return undefined
  return paging.index() * PAGE_SESSIONS + answer.visits.length
}

type Opened = ReturnType<typeof createOpened>

/** The session that the address opens; `j` and `k` lead to the next and the previous one of the list. */
function createOpened(ids: () => readonly string[]) {
  const id = (): string => currentLocation().query.get('session') ?? ''
  const open = (sessionId: string): void => replaceParameters({ session: sessionId })
  const step = (by: 1 | -1): (() => void) | undefined => {
    const neighbour = neighbourOf(ids(), { id: id(), by })
    return neighbour === undefined ? undefined : () => open(neighbour)
  }
  const hrefOf = (sessionId: string): string => {
    const { path, query } = currentLocation()
    const changed = new URLSearchParams(query)
    changed.set('session', sessionId)
    return `${path}?${changed}`
  }
  useKeys([
    { keys: 'j', label: t('sessions.next'), run: () => step(1)?.() },
    { keys: 'k', label: t('sessions.previous'), run: () => step(-1)?.() },
  ])
  return { id, open, step, hrefOf }
}

function SessionCard(props: {
  readonly answer: VisitsServiceListResponse
  readonly isOld: boolean
  readonly count: number | undefined
  readonly paging: Paging
  readonly opened: Opened
}): JSX.Element {
  return (
    <section class="ui-card people-card" aria-busy={props.isOld}>
      <SessionTable
        visits={props.answer.visits}
        openId={props.opened.id()}
        hrefOf={props.opened.hrefOf}
        onOpen={props.opened.open}
      />
      <Pager
        paging={props.paging}
        pageSize={PAGE_SESSIONS}
        shown={props.answer.visits.length}
        total={props.count}
        nextToken={props.answer.nextPageToken}
      />
    </section>
  )
}

function NoSessions(props: { readonly query: SessionQuery }): JSX.Element {
  const isFiltered = (): boolean => {
    const { filters, cohorts } = props.query.view.state()
    return filters.length + cohorts.length > 0 || props.query.conditions.isNarrow()
  }
  const clear = (): void => {
    props.query.view.change({ filters: [], cohorts: [] })
    props.query.conditions.clear()
  }
  return (
    <EmptyState
      icon={<Footprints />}
      title={t('sessions.emptyTitle')}
      text={t(isFiltered() ? 'sessions.emptyFiltered' : 'sessions.emptyPeriod')}
      actions={
        <Show
          when={isFiltered()}
          fallback={
            <Button onClick={() => props.query.view.change({ period: { last: 90, unit: 'days' } })}>
              {t('overview.last90Days')}
            </Button>
          }
        >
          <Button onClick={clear}>{t('overview.clearFilters')}</Button>
        </Show>
      }
    />
  )
}

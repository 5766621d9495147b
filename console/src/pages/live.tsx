import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import {
  createEffect,
  createMemo,
  createResource,
  createSignal,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
  untrack,
} from 'solid-js'
import { RemountOnNavigation } from '../context/remount.tsx'
import { currentLocation, replaceParameters } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { formatMoment, formatShortMoment } from '../format/values.ts'
import { createFilters, FilterBar } from '../insights/filter-bar.tsx'
import { EVENT_SUBJECTS } from '../insights/filter-rows.tsx'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { Empty, ErrorBox, readyOf, Skeleton } from '../ui/async.tsx'
import { SelectField } from '../ui/field.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { FirstRun } from './first-run/first-run.tsx'

const activityClient = clientOf(ActivityService)

const POLL_MS = 2500

/** Events of one answer, and on the page. */
const EVENTS_MAX = 100

/** The events to show. */
interface LiveQuery {
  /** Empty for all events. */
  readonly kind: string
  readonly filters: readonly PropertyFilter[]
}

/** The newest events, polled while the page is visible. */
function createLiveEvents(query: () => LiveQuery) {
  const [events, setEvents] = createSignal<readonly ActivityEvent[]>()
  const [failure, setFailure] = createSignal<Failure>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0
  const poll = async (mine: number): Promise<void> => {
    try {
      if (!document.hidden || events() === undefined) {
        const { kind, filters } = query()
        const answer = await activityClient.getEventExplorer({
          pageSize: EVENTS_MAX,
          events: kind === '' ? [] : [{ kind }],
          propertyFilters: [...filters],
        })
        if (mine !== round) return
        setEvents((shown) => reuseKnown(shown ?? [], answer.events))
        setFailure(undefined)
      }
    } catch (thrown) {
      if (mine === round) setFailure(Failure.from(thrown))
    }
    if (mine === round) timer = setTimeout(() => void poll(mine), POLL_MS)
  }
  const restart = (): void => {
    clearTimeout(timer)
    round++
    void poll(round)
  }
  const begin = (): void => {
    setEvents(undefined)
    restart()
  }
  onMount(begin)
  onCleanup(() => {
    clearTimeout(timer)
    round++
  })
  return { events, failure, begin, restart }
}

function keyOf({ eventId, kind, distinctId, occurTime }: ActivityEvent): string {
  return `${eventId} ${kind} ${distinctId} ${occurTime ? timestampMs(occurTime) : 0}`
}

/** Known events keep their object, so that their rows keep the focus. */
function reuseKnown(
  shown: readonly ActivityEvent[],
  fresh: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const known = new Map(shown.map((event) => [keyOf(event), event]))
  return fresh.map((event) => known.get(keyOf(event)) ?? event)
}

/** The events of the project: those of its schema, and those that have arrived since. */
function createEventNames(
  events: () => readonly ActivityEvent[],
  kind: () => string,
): () => readonly string[] {
  const chosen = (): readonly string[] => (kind() === '' ? [] : [kind()])

  const hasEvents = createMemo(() => events().length > 0)
  // Without the schema, only events that have arrived are known.
  const [known] = createResource(hasEvents, async () =>
    activityClient.getFilterSchema({}).then(
      (schema) => schema.events.map(({ name }) => name),
      () => [],
    ),
  )
  const seen = createMemo<ReadonlySet<string>>((before) => {
    const names = new Set([...before, ...events().map(({ kind }) => kind)])
    return names.size > before.size ? names : before
  }, new Set())
  return createMemo(() => [...new Set([...chosen(), ...(readyOf(known) ?? []), ...seen()])].sort())
}

/** Events as they arrive; before the first one, instructions to send it. */
export function LivePage(): JSX.Element {
  return (
    <RemountOnNavigation>
      <LiveView />
    </RemountOnNavigation>
  )
}

function LiveView(): JSX.Element {
  const workspace = useWorkspace()
  const [kind, setKind] = createSignal(untrack(() => currentLocation().query.get('kind') ?? ''))
  const [opened, setOpened] = createSignal<ActivityEvent>()
  const filters = createFilters()
  const live = createLiveEvents(() => ({ kind: kind(), filters: filters.ready() }))
  createEffect(on(filters.ready, live.begin, { defer: true }))
  const kinds = createEventNames(() => live.events() ?? [], kind)
  const isFirstRun = createFirstRun(
    () => live.events()?.length === 0 && kind() === '' && filters.drafts().length === 0,
  )
  return (
    <Show when={!isFirstRun.value()} fallback={<FirstRun onDone={isFirstRun.end} />}>
      <header class="page-head">
        <div>
          <h1>Live</h1>
          <p class="quiet">The newest events, updated every few seconds · times in {workspace().timeZone}</p>
        </div>
        <SelectField
          label="Event"
          value={kind()}
          choices={[{ value: '', label: 'All events' }, ...kinds().map((value) => ({ value, label: value }))]}
          onChange={(value) => {
            setKind(value)
            replaceParameters({ kind: value })
            live.begin()
          }}
        />
      </header>
      <FilterBar
        filters={filters}
        subjects={EVENT_SUBJECTS}
        path="propertyFilters"
        problem={(path) => live.failure()?.violations.get(path)}
      />
      <Show when={live.failure()}>{(failure) => <ErrorBox error={failure()} retry={live.restart} />}</Show>
      <Show
        when={live.events()}
        fallback={
          <Show when={!live.failure()}>
            <Skeleton lines={12} />
          </Show>
        }
      >
        {(events) => (
          <Show when={events().length > 0} fallback={<Empty title="No events match" />}>
            <EventList events={events()} timeZone={workspace().timeZone} onOpen={setOpened} />
          </Show>
        )}
      </Show>
      <Show when={opened()}>
        {(event) => <EventDrawer event={event()} onClose={() => setOpened(undefined)} />}
      </Show>
    </Show>
  )
}

/** The first run begins when the project has no event, and stays until the reader ends it: it shows the first event itself. */
function createFirstRun(hasNoEvents: () => boolean): { value: () => boolean; end: () => void } {
  const [isEnded, setEnded] = createSignal(false)
  const value = createMemo<boolean>((before) => !isEnded() && (before || hasNoEvents()), false)
  return { value, end: () => setEnded(true) }
}

/** Rows of events; each opens its event. */
export function EventList(props: {
  readonly events: readonly ActivityEvent[]
  readonly timeZone: string
  readonly onOpen: (event: ActivityEvent) => void
}): JSX.Element {
  const ms = (event: ActivityEvent): number => (event.occurTime ? timestampMs(event.occurTime) : 0)
  return (
    <ul class="event-list card">
      <For each={props.events}>
        {(event) => (
          <li>
            <button type="button" class="event-row" onClick={() => props.onOpen(event)}>
              <time
                datetime={new Date(ms(event)).toISOString()}
                title={formatMoment(ms(event), props.timeZone)}
              >
                {formatShortMoment(ms(event), props.timeZone)}
              </time>
              <strong class="ellipsis">{event.kind}</strong>
              <span class="quiet ellipsis">{event.distinctId}</span>
              <span class="quiet ellipsis wide-only">{describe(event)}</span>
            </button>
          </li>
        )}
      </For>
    </ul>
  )
}

/** The most telling property of an event. */
function describe({ autoProperties }: ActivityEvent): string {
  const value = autoProperties?.$pathname ?? autoProperties?.$url ?? autoProperties?.$country ?? ''
  return typeof value === 'string' ? value : ''
}

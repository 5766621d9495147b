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
import { EachVisit } from '../app/each-visit.tsx'
import { formatMoment, formatShortMoment } from '../app/format.ts'
import { currentPlace } from '../app/router.ts'
import { useWorkspace } from '../app/workspace.ts'
import { EVENT_SUBJECTS } from '../insight/filter-rows.tsx'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { Empty, ErrorBox, readyOf, Skeleton } from '../ui/async.tsx'
import { SelectField } from '../ui/field.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { keepInAddress } from './filter-address.ts'
import { createFilters, FilterBar } from './filter-bar.tsx'
import { FirstRun } from './first-run.tsx'

const POLL_MS = 2500

/** Events that are asked for, and shown, at a time. */
const EVENTS_MAX = 100

/** Which events are shown. */
interface LiveQuestion {
  /** Empty for every kind. */
  readonly kind: string
  readonly filters: readonly PropertyFilter[]
}

/** The newest events, asked for again and again while the page can be seen. */
function createLiveEvents(question: () => LiveQuestion) {
  const [events, setEvents] = createSignal<readonly ActivityEvent[]>()
  const [failure, setFailure] = createSignal<Failure>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0
  const poll = async (mine: number): Promise<void> => {
    try {
      if (!document.hidden || events() === undefined) {
        const { kind, filters } = question()
        const answer = await clientOf(ActivityService).getEventExplorer({
          pageSize: EVENTS_MAX,
          events: kind === '' ? [] : [{ kind }],
          propertyFilters: [...filters],
        })
        if (mine !== round) return
        setEvents((shown) => keepKnown(shown ?? [], answer.events))
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

/** The same event stays the same object, so that its row stays, and with it the focus. */
function keepKnown(
  shown: readonly ActivityEvent[],
  fresh: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const known = new Map(shown.map((event) => [keyOf(event), event]))
  return fresh.map((event) => known.get(keyOf(event)) ?? event)
}

/** The kinds that the project has: those the service knows of, and those that were seen since. */
function createKinds(events: () => readonly ActivityEvent[], kind: () => string): () => readonly string[] {
  const chosen = (): readonly string[] => (kind() === '' ? [] : [kind()])

  const hasEvents = createMemo(() => events().length > 0)
  // Without the schema, what is seen has to do.
  const [known] = createResource(hasEvents, async () =>
    clientOf(ActivityService)
      .getFilterSchema({})
      .then(
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

/** Events as they arrive; before the first one, how to send it. */
export function LivePage(): JSX.Element {
  return (
    <EachVisit>
      <LiveView />
    </EachVisit>
  )
}

function LiveView(): JSX.Element {
  const workspace = useWorkspace()
  const [kind, setKind] = createSignal(untrack(() => currentPlace().query.get('kind') ?? ''))
  const [opened, setOpened] = createSignal<ActivityEvent>()
  const filters = createFilters()
  const live = createLiveEvents(() => ({ kind: kind(), filters: filters.ready() }))
  createEffect(on(filters.ready, live.begin, { defer: true }))
  const kinds = createKinds(() => live.events() ?? [], kind)
  const isFirstRun = (): boolean =>
    live.events()?.length === 0 && kind() === '' && filters.drafts().length === 0
  return (
    <Show when={!isFirstRun()} fallback={<FirstRun />}>
      <header class="page-head">
        <div>
          <h1>Live</h1>
          <p class="quiet">The newest events, every few seconds · times in {workspace().timeZone}</p>
        </div>
        <SelectField
          label="Kind"
          value={kind()}
          choices={[{ value: '', label: 'All kinds' }, ...kinds().map((value) => ({ value, label: value }))]}
          onChange={(value) => {
            setKind(value)
            keepInAddress({ kind: value })
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
          <Show when={events().length > 0} fallback={<Empty title="No such event yet" />}>
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

/** Rows of events, each of which opens. */
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

/** The one property that says most of an event. */
function describe({ autoProperties }: ActivityEvent): string {
  const value = autoProperties?.$pathname ?? autoProperties?.$url ?? autoProperties?.$country ?? ''
  return typeof value === 'string' ? value : ''
}

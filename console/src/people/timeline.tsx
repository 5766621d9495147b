import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createMemo, createSignal, For, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { deviceLabel } from '../format/labels.ts'
import { formatCountry, formatDay, formatMoment, formatSeconds, formatShortTime } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Flag } from '../ui/flag.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../ui/states.tsx'
import { iconOf } from '../ui/value-icon.tsx'
import type { ActivityFeed } from './activity-feed.ts'
import { TimelineRow } from './timeline-row.tsx'
import './timeline.css'
import { groupSessions, type SessionGroup } from './visits.ts'

/** Pages that scrolling loads; a button loads as many again, so that a long look does not fill the memory. */
const PAGES_PER_SCROLL = 10

/** The events of a person by session, newest session first; older ones load by scrolling. */
export function Timeline(props: {
  readonly feed: ActivityFeed
  /** `newest` opens the first session. */
  readonly open: 'newest' | 'none'
}): JSX.Element {
  const groups = createMemo(() => groupSessions(props.feed.events() ?? []))
  const [pagesMax, setPagesMax] = createSignal(PAGES_PER_SCROLL)
  const more = (): void => {
    setPagesMax(props.feed.pageCount() + PAGES_PER_SCROLL)
    props.feed.loadMore()
  }
  return (
    <Switch fallback={<SkeletonLines count={6} heightPx={28} />}>
      <Match when={props.feed.failure()}>
        {(error) => (
          <ErrorState title={t('people.personFailed')} error={error()} onRetry={props.feed.retry} />
        )}
      </Match>
      <Match when={props.feed.events()?.length === 0}>
        <EmptyState title={t('people.noEvents')} />
      </Match>
      <Match when={props.feed.events()}>
        <ol class="timeline">
          <For each={groups().map(({ id }) => id)}>
            {(id, at) => (
              <Show when={groups().find((group) => group.id === id)}>
                {(group) => <Session group={group()} isOpen={props.open === 'newest' && at() === 0} />}
              </Show>
            )}
          </For>
        </ol>
        <Show when={props.feed.hasMore()}>
          <Show
            when={props.feed.pageCount() < pagesMax()}
            fallback={
              <Button class="timeline-more" isLoading={props.feed.isLoading()} onClick={more}>
                {t('people.showOlder')}
              </Button>
            }
          >
            {/* A new end for each page: an end that stays in view would not be seen again. */}
            <Show when={props.feed.pageCount()} keyed>
              {(_page) => <LoadWhenSeen onSeen={props.feed.loadMore} />}
            </Show>
          </Show>
        </Show>
      </Match>
    </Switch>
  )
}

/** Loads the next page each time that the end of the list comes into view. */
function LoadWhenSeen(props: { readonly onSeen: () => void }): JSX.Element {
  let end: HTMLDivElement | undefined
  onMount(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && props.onSeen(),
      { rootMargin: '200px' },
    )
    if (end) observer.observe(end)
    onCleanup(() => observer.disconnect())
  })
  return (
    <div ref={end}>
      <SkeletonLines count={2} heightPx={28} />
    </div>
  )
}

function Session(props: { readonly group: SessionGroup; readonly isOpen: boolean }): JSX.Element {
  const workspace = useWorkspace()
  const [isOpen, setOpen] = createSignal(props.isOpen)
  const lengthSeconds = (): number => (props.group.endMs - props.group.startMs) / 1000
  const facts = (): string =>
    [
      ...(lengthSeconds() >= 1 ? [formatSeconds(lengthSeconds())] : []),
      t('people.eventCount', { count: props.group.eventCount }),
    ].join(' \u00b7 ')
  return (
    <li class="timeline-session">
      <button type="button" class="timeline-head" aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
        {isOpen() ? <ChevronDown /> : <ChevronRight />}
        <time
          datetime={new Date(props.group.startMs).toISOString()}
          title={formatMoment(props.group.startMs, workspace().timeZone)}
        >
          {writeStart(props.group.startMs, workspace().timeZone)}
        </time>
        <span class="timeline-facts">{facts()}</span>
        <span class="timeline-pills">
          <SessionPills group={props.group} />
        </span>
      </button>
      <Show when={isOpen()}>
        <ol class="timeline-events">
          <For each={props.group.items}>{(item) => <TimelineRow item={item} />}</For>
        </ol>
      </Show>
    </li>
  )
}

/** Source, place and device of a session. */
function SessionPills(props: { readonly group: SessionGroup }): JSX.Element {
  const place = (): string => props.group.city || formatCountry(props.group.country)
  return (
    <>
      <Show when={props.group.channel !== ''}>
        <span class="ui-badge">
          {iconOf('channel', props.group.channel)?.()} {props.group.channel}
        </span>
      </Show>
      <Show when={place() !== ''}>
        <span class="ui-badge">
          <Flag country={props.group.country} /> {place()}
        </span>
      </Show>
      <Show when={props.group.device !== ''}>
        <span class="ui-badge">
          {iconOf('device', props.group.device)?.()} {deviceLabel(props.group.device)}
        </span>
      </Show>
    </>
  )
}

function writeStart(ms: number, timeZone: string): string {
  const time = formatShortTime(ms, timeZone)
  const day = formatDay(ms, timeZone)
  return day === formatDay(Date.now(), timeZone) ? t('people.today', { time }) : `${day}, ${time}`
}

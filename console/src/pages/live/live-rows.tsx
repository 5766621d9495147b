import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { dateOf } from '@domain/calendar.ts'
import { createEffect, createMemo, For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatElapsed } from '../../format/ago.ts'
import {
  formatCountry,
  formatMoment,
  formatMoney,
  formatShortDay,
  formatShortSeconds,
  formatTime,
  formatWeekday,
  NO_VALUE,
} from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { describeEvent } from '../../people/describe-event.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { type NamedPerson, namePerson } from '../../people/person-name.ts'
import { eventIdOf } from '../../people/read-person.ts'
import '../../people/people.css'
import { EventIcon } from '../../picker/entry-icons.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Flag } from '../../ui/flag.tsx'
import { titleOfColumn, valueInColumn } from './live-columns.ts'
import { arrivalOf, datedAheadMs, groupEvents, isBot, keyOf, occurrenceOf } from './live-model.ts'

/** Events by the second of their arrival, or by the day that they happened on; each row opens its event. */
export function EventRows(props: {
  readonly events: readonly ActivityEvent[]
  readonly opened: ActivityEvent | undefined
  readonly personOf: (distinctId: string) => NamedPerson
  readonly nowMs: number
  /** Properties beside what a row always has. */
  readonly columns: readonly string[]
  /** Whether the list is that of a period: rows have their times then, and heads have days. */
  readonly isOfPeriod: boolean
  readonly onOpen: (event: ActivityEvent) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const dayOf = (ms: number): string => dateOf(ms, workspace().timeZone)
  const groups = createMemo(() => groupEvents(props.events, props.isOfPeriod ? dayOf : undefined))
  const heads = createMemo(() => new Map(groups().map((group) => [group.events[0], group])))
  const isOpened = (event: ActivityEvent): boolean =>
    props.opened !== undefined && keyOf(props.opened) === keyOf(event)
  // It never shrinks: columns must not move to and fro with the names in view.
  const nameLength = createMemo<number>(
    (before) => props.events.reduce((most, event) => Math.max(most, nameOf(event).length), before),
    0,
  )
  return (
    <>
      <Show when={props.columns.length > 0}>
        <ColumnHeads {...props} nameLength={nameLength()} />
      </Show>
      <ul class="live-list" {...widthsOf({ ...props, nameLength: nameLength() })}>
        <For each={props.events}>
          {(event) => (
            <li>
              <Show when={heads().get(event)}>
                {(group) => (
                  <p class="live-second">
                    <Show
                      when={!props.isOfPeriod}
                      fallback={<span>{formatWeekday(group().startMs, workspace().timeZone)}</span>}
                    >
                      <span>
                        {nameSecond(group().startMs, { nowMs: props.nowMs, timeZone: workspace().timeZone })}
                      </span>
                      <span>{t('live.eventCount', { count: group().events.length })}</span>
                    </Show>
                  </p>
                )}
              </Show>
              <EventRow
                event={event}
                person={props.personOf(event.distinctId)}
                nowMs={props.nowMs}
                columns={props.columns}
                isOfPeriod={props.isOfPeriod}
                isOpened={isOpened(event)}
                onOpen={() => props.onOpen(event)}
              />
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

interface RowColumns {
  readonly columns: readonly string[]
  readonly isOfPeriod: boolean
  /** The characters of the longest name of an event. */
  readonly nameLength: number
}

/** Few characters are wider than a digit; long names take a quarter of the row. */
const widthOfName = (length: number): string => `clamp(90px, ${length}ch, 25%)`

/** What the widths of all columns depend on. */
function widthsOf({ columns, isOfPeriod, nameLength }: RowColumns) {
  return {
    style: { '--live-columns': columns.length, '--live-name': widthOfName(nameLength) },
    'data-columns': columns.length > 0 ? '' : undefined,
    'data-times': isOfPeriod ? '' : undefined,
  }
}

function nameOf({ displayName, kind }: ActivityEvent): string {
  return displayName || kind
}

/** The time of a second, with its day where that is not the current one. */
function nameSecond(
  ms: number,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): string {
  const isToday = dateOf(ms, timeZone) === dateOf(nowMs, timeZone)
  return isToday ? formatTime(ms, timeZone) : `${formatShortDay(ms, timeZone)}, ${formatTime(ms, timeZone)}`
}

/** The titles of chosen columns. Each cell names its column by itself for screen readers. */
function ColumnHeads(props: RowColumns): JSX.Element {
  return (
    <p class="live-columns" aria-hidden="true" {...widthsOf(props)}>
      <span />
      <span>{t('live.event')}</span>
      <span>{t('people.person')}</span>
      <span />
      <For each={props.columns}>{(key) => <span class="ui-ellipsis">{titleOfColumn(key)}</span>}</For>
    </p>
  )
}

function EventRow(props: {
  readonly event: ActivityEvent
  readonly person: NamedPerson
  readonly nowMs: number
  readonly columns: readonly string[]
  readonly isOfPeriod: boolean
  readonly isOpened: boolean
  readonly onOpen: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  let row: HTMLButtonElement | undefined
  createEffect(() => props.isOpened && row?.scrollIntoView({ block: 'nearest' }))
  const country = (): string => {
    const code = props.event.autoProperties?.$country
    return typeof code === 'string' ? code : ''
  }
  return (
    <button
      ref={row}
      type="button"
      class="live-row"
      aria-pressed={props.isOpened}
      data-event={props.event.eventId}
      onClick={() => props.onOpen()}
    >
      <EventIcon event={props.event.kind} />
      <strong class="ui-ellipsis">{nameOf(props.event)}</strong>
      <PersonLabel person={props.person} />
      <span class="live-about">
        <span class="ui-ellipsis">{describeEvent(props.event, formatMoney)}</span>
        <EventBadges event={props.event} />
      </span>
      <For each={props.columns}>{(key) => <Cell event={props.event} column={key} />}</For>
      <Show when={country() !== ''} fallback={<span />}>
        <span data-tip={formatCountry(country())}>
          <Flag country={country()} />
          <span class="ui-hidden">{formatCountry(country())}</span>
        </span>
      </Show>
      <time
        class="live-age"
        datetime={new Date(arrivalOf(props.event)).toISOString()}
        data-tip={formatMoment(occurrenceOf(props.event), workspace().timeZone)}
      >
        {props.isOfPeriod
          ? formatTime(occurrenceOf(props.event), workspace().timeZone)
          : formatElapsed(props.nowMs - arrivalOf(props.event))}
      </time>
    </button>
  )
}

function Cell(props: { readonly event: ActivityEvent; readonly column: string }): JSX.Element {
  const value = (): string => valueInColumn(props.event, props.column)
  return (
    <span class="live-cell ui-ellipsis">
      <span class="ui-hidden">{titleOfColumn(props.column)}: </span>
      {value() || NO_VALUE}
    </span>
  )
}

/** Marks of unusual events: sent by a bot, or dated after their arrival. */
export function EventBadges(props: { readonly event: ActivityEvent }): JSX.Element {
  const aheadMs = (): number => datedAheadMs(props.event)
  return (
    <>
      <Show when={isBot(props.event)}>
        <Badge tone="warn">{t('live.bot')}</Badge>
      </Show>
      <Show when={aheadMs() > 0}>
        <Badge tone="warn">{t('live.datedAhead', { duration: formatShortSeconds(aheadMs() / 1000) })}</Badge>
      </Show>
    </>
  )
}

function PersonLabel(props: { readonly person: NamedPerson }): JSX.Element {
  const name = createMemo(() => namePerson(props.person))
  return (
    <span class="live-person">
      <PersonAvatar id={eventIdOf(props.person)} person={name()} />
      <span class="ui-ellipsis">{name().name}</span>
    </span>
  )
}

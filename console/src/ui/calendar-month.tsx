import type { Days } from '@domain/calendar.ts'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { calendarTarget, weeksOf } from './calendar-weeks.ts'
import { nameDay, nameMonth, weekdayNames } from './period-labels.ts'

const WEEKDAYS = weekdayNames()

function rangePart(date: string, { from, to }: Days): string | undefined {
  if (date < from || date > to) return undefined
  return [date === from && 'first', date === to && 'last', 'in'].filter(Boolean).join(' ').replace(/ in$/, '')
}

/** One month of a calendar. */
export function CalendarMonth(props: {
  /** Any date of the month. */
  readonly month: string
  /** The chosen days, both ends included. */
  readonly days: Days
  readonly today: string
  /** The day that the Tab key reaches. */
  readonly focusDate: string
  readonly onChoose: (date: string) => void
  readonly onPoint: (date: string) => void
  readonly onMove: (date: string) => void
  /** The buttons that turn to other months. */
  readonly turns?: JSX.Element
}): JSX.Element {
  const weeks = createMemo(() => weeksOf(props.month))
  return (
    <div class="ui-month">
      <div class="ui-month-head">
        <span>{nameMonth(props.month)}</span>
        {props.turns}
      </div>
      <table class="ui-month-days" aria-label={nameMonth(props.month)}>
        <thead>
          <tr>
            <For each={WEEKDAYS}>
              {({ short, long }) => (
                <th scope="col" abbr={long}>
                  {short}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={weeks()}>
            {(week) => (
              <tr>
                <For each={week}>
                  {(date) => (
                    <td data-range={date === undefined ? undefined : rangePart(date, props.days)}>
                      <Show when={date}>{(day) => <Day {...props} date={day()} />}</Show>
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  )
}

function Day(props: {
  readonly date: string
  readonly days: Days
  readonly today: string
  readonly focusDate: string
  readonly onChoose: (date: string) => void
  readonly onPoint: (date: string) => void
  readonly onMove: (date: string) => void
}): JSX.Element {
  return (
    <button
      type="button"
      class="ui-day"
      data-date={props.date}
      disabled={props.date > props.today}
      tabindex={props.date === props.focusDate ? 0 : -1}
      aria-label={nameDay(props.date)}
      aria-pressed={props.date >= props.days.from && props.date <= props.days.to}
      aria-current={props.date === props.today ? 'date' : undefined}
      onPointerEnter={() => props.onPoint(props.date)}
      onClick={() => props.onChoose(props.date)}
      onKeyDown={(event) => {
        const target = calendarTarget(event.key, props.date)
        if (target === undefined) return
        event.preventDefault()
        props.onMove(target)
      }}
    >
      {Number(props.date.slice(8))}
    </button>
  )
}

import type { Days } from '@domain/calendar.ts'
import { shiftMonths, startOfMonth } from '@domain/date-periods.ts'
import ChevronLeft from 'lucide-solid/icons/chevron-left'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { type Accessor, createSignal, type JSX } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'
import { CalendarMonth } from './calendar-month.tsx'

interface RangeProps {
  readonly today: string
  readonly days: Days
  readonly onChange: (days: Days) => void
}

/** The state of a calendar in which a range is chosen. */
interface RangeChoice {
  /** The days to mark: the chosen ones, or those between the first click and the pointer. */
  readonly shown: Accessor<Days>
  readonly focusDate: Accessor<string>
  readonly choose: (date: string) => void
  readonly point: (date: string) => void
  readonly focus: (date: string) => void
}

function createRangeChoice(props: RangeProps): RangeChoice {
  const [anchor, setAnchor] = createSignal<string>()
  const [pointed, setPointed] = createSignal<string>()
  const [focusDate, setFocusDate] = createSignal(props.days.to)
  const shown = (): Days => {
    const from = anchor()
    if (from === undefined) return props.days
    const to = pointed() ?? from
    return from < to ? { from, to } : { from: to, to: from }
  }
  const focus = (date: string): void => {
    setFocusDate(date)
    setPointed(date)
  }
  const choose = (date: string): void => {
    focus(date)
    if (anchor() === undefined) {
      setAnchor(date)
      return
    }
    const days = shown()
    setAnchor(undefined)
    props.onChange(days)
  }
  return { shown, focusDate, choose, point: setPointed, focus }
}

/** Two months of a calendar; a click begins a range, the next one ends it. */
export function TwoMonths(props: RangeProps): JSX.Element {
  const [last, setLast] = createSignal(startOfMonth(props.days.to))
  const choice = createRangeChoice(props)
  let box: HTMLDivElement | undefined
  const turn = (months: number): void => void setLast(shiftMonths(last(), months))
  const move = (date: string): void => {
    const target = date > props.today ? props.today : date
    if (target >= shiftMonths(last(), 1)) setLast(startOfMonth(target))
    if (target < shiftMonths(last(), -1)) setLast(shiftMonths(startOfMonth(target), 1))
    choice.focus(target)
    box?.querySelector<HTMLElement>(`[data-date="${target}"]`)?.focus()
  }
  const month = (date: () => string, turns?: JSX.Element): JSX.Element => (
    <CalendarMonth
      month={date()}
      today={props.today}
      days={choice.shown()}
      focusDate={choice.focusDate()}
      onChoose={choice.choose}
      onPoint={choice.point}
      onMove={move}
      turns={turns}
    />
  )
  return (
    <div class="ui-months" ref={box}>
      {month(() => shiftMonths(last(), -1))}
      {month(
        last,
        <span class="ui-month-turns">
          <IconButton tone="ghost" size="small" name={t('ui.previousMonth')} onClick={() => turn(-1)}>
            <ChevronLeft />
          </IconButton>
          <IconButton
            tone="ghost"
            size="small"
            name={t('ui.nextMonth')}
            isDisabled={shiftMonths(last(), 1) > props.today}
            onClick={() => turn(1)}
          >
            <ChevronRight />
          </IconButton>
        </span>,
      )}
    </div>
  )
}

import './insights.css'
import { type Days, dateOf, shiftDate } from '@domain/calendar.ts'
import type { RangePresetName } from '@domain/time-ranges.ts'
import { createUniqueId, type JSX, Show } from 'solid-js'
import { SelectField } from '../ui/field.tsx'
import { isPreset, type Period, PRESET_CHOICES } from './period.ts'

type Choice = RangePresetName | 'days'

/** The time of a query: a range that ends now, or a first and a last day. */
export function PeriodField(props: {
  readonly period: Period
  readonly timeZone: string
  readonly problem: string | undefined
  readonly onChange: (period: Period) => void
}): JSX.Element {
  const days = (): Days | undefined => (isPreset(props.period) ? undefined : props.period)
  const choice = (): Choice => (isPreset(props.period) ? props.period : 'days')
  const choose = (chosen: Choice): void => {
    if (chosen !== 'days') return props.onChange(chosen)
    const today = dateOf(Date.now(), props.timeZone)
    props.onChange({ from: shiftDate(today, -6), to: today })
  }
  return (
    <>
      <SelectField
        label="Time"
        value={choice()}
        choices={[...PRESET_CHOICES, { value: 'days', label: 'Custom range' }]}
        problem={days() ? undefined : props.problem}
        onChange={choose}
      />
      <Show when={days()}>
        {(chosen) => (
          <DayFields
            days={chosen()}
            timeZone={props.timeZone}
            problem={props.problem}
            onChange={props.onChange}
          />
        )}
      </Show>
    </>
  )
}

function DayFields(props: {
  readonly days: Days
  readonly timeZone: string
  readonly problem: string | undefined
  readonly onChange: (days: Days) => void
}): JSX.Element {
  const id = createUniqueId()
  const field = (side: keyof Days, label: string): JSX.Element => (
    <div class="field">
      <label for={`${id}-${side}`}>{label}</label>
      <input
        id={`${id}-${side}`}
        type="date"
        required
        value={props.days[side]}
        max={dateOf(Date.now(), props.timeZone)}
        aria-invalid={props.problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => props.onChange({ ...props.days, [side]: event.currentTarget.value })}
      />
    </div>
  )
  return (
    <div class="days">
      {field('from', 'From')}
      {field('to', 'To, included')}
      <p class="problem" id={`${id}-problem`} role="status">
        {props.problem}
      </p>
    </div>
  )
}

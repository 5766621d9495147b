import type { Days } from '@domain/calendar.ts'
import { type DatePeriod, daysOfPeriod, type Today, writeDatePeriod } from '@domain/date-periods.ts'
import { parseDayPhrase, parsePeriodPhrase } from '@domain/date-phrases.ts'
import Check from 'lucide-solid/icons/check'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { currentLanguage } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'
import './date-range-picker.css'
import { namePeriod, writeDay } from './period-labels.ts'
import { TwoMonths } from './two-months.tsx'

/** The periods that apply at once. */
const PRESETS: readonly DatePeriod[] = [
  'today',
  'yesterday',
  { last: 7, unit: 'days' },
  { last: 30, unit: 'days' },
  { last: 90, unit: 'days' },
  'this-week',
  'this-month',
  'last-month',
  'this-quarter',
  'this-year',
  { last: 12, unit: 'months' },
  'all-time',
]

/** A period beside those of whole days, for example the last hour. */
interface MorePreset {
  readonly label: string
  readonly isChosen: boolean
  readonly choose: () => void
}

/** Periods beside those of whole days. */
export interface PeriodsBeside {
  /** The name of a chosen period that is none of whole days. */
  readonly name?: string | undefined
  /** Shown before the periods of whole days. */
  readonly morePresets?: readonly MorePreset[]
}

/** The content of the popover: presets, two months, two fields and Apply. */
export function DateRangeLayer(
  props: Today &
    PeriodsBeside & {
      readonly period: DatePeriod
      readonly onChange: (period: DatePeriod) => void
      readonly close: () => void
    },
): JSX.Element {
  const chosen = props.name === undefined ? writeDatePeriod(props.period) : ''
  const [draft, setDraft] = createSignal<DatePeriod>(props.period)
  const apply = (period: DatePeriod): void => {
    props.onChange(period)
    props.close()
  }
  return (
    <div class="ui-range-layer">
      <ul class="ui-range-presets" aria-label={t('ui.presets')}>
        <For each={props.morePresets}>
          {({ label, isChosen, choose }) => (
            <Preset
              label={label}
              isChosen={isChosen}
              onChoose={() => {
                choose()
                props.close()
              }}
            />
          )}
        </For>
        <For each={PRESETS}>
          {(preset) => (
            <Preset
              label={namePeriod(preset, props.today)}
              isChosen={writeDatePeriod(preset) === chosen}
              onChoose={() => apply(preset)}
            />
          )}
        </For>
      </ul>
      <div class="ui-range-main">
        <TwoMonths today={props.today} days={daysOfPeriod(draft(), props)} onChange={setDraft} />
        <RangeFields
          days={daysOfPeriod(draft(), props)}
          today={props.today}
          firstDate={props.firstDate}
          onChange={setDraft}
          onCancel={props.close}
          onApply={() => apply(draft())}
        />
      </div>
    </div>
  )
}

function Preset(props: {
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}): JSX.Element {
  return (
    <li>
      <button
        type="button"
        class="ui-range-preset"
        aria-pressed={props.isChosen}
        onClick={() => props.onChoose()}
      >
        {props.label}
        <Show when={props.isChosen}>
          <Check />
        </Show>
      </button>
    </li>
  )
}

function RangeFields(
  props: Today & {
    readonly days: Days
    readonly onChange: (period: DatePeriod) => void
    readonly onCancel: () => void
    readonly onApply: () => void
  },
): JSX.Element {
  const [problem, setProblem] = createSignal<string>()
  const read = (side: 'from' | 'to', text: string): void => {
    setProblem(undefined)
    if (text === writeDay(props.days[side])) return
    const period = parsePeriodPhrase(text)
    if (period !== undefined && period !== 'today' && period !== 'yesterday') return props.onChange(period)
    const date = parseDayPhrase(text, { today: props.today, language: currentLanguage })
    if (date === undefined) return void setProblem(t('ui.dateProblem'))
    const days = { ...props.days, [side]: date }
    if (days.from > days.to) return void setProblem(t('ui.dateOrder'))
    props.onChange(days)
  }
  const field = (side: 'from' | 'to', label: string): JSX.Element => (
    <input
      class="ui-input"
      type="text"
      autocomplete="off"
      spellcheck={false}
      aria-label={label}
      aria-invalid={problem() === undefined ? undefined : 'true'}
      aria-describedby="ui-range-problem"
      data-autofocus={side === 'from' ? '' : undefined}
      value={writeDay(props.days[side])}
      onChange={(event) => {
        read(side, event.currentTarget.value)
        if (problem() === undefined) event.currentTarget.value = writeDay(props.days[side])
      }}
    />
  )
  return (
    <form
      class="ui-range-foot"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem() === undefined) props.onApply()
      }}
    >
      {field('from', t('ui.firstDay'))}
      <span class="ui-range-to">{t('ui.to')}</span>
      {field('to', t('ui.lastDay'))}
      <span class="ui-range-actions">
        <Button tone="ghost" onClick={() => props.onCancel()}>
          {t('common.cancel')}
        </Button>
        <Button tone="primary" type="submit">
          {t('common.apply')}
        </Button>
      </span>
      <Show when={problem()}>
        {(text) => (
          <p class="ui-range-problem" id="ui-range-problem" role="alert">
            {text()}
          </p>
        )}
      </Show>
    </form>
  )
}

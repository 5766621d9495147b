import type { Days } from '@domain/calendar.ts'
import { type DatePeriod, daysOfPeriod, stepDays, type Today } from '@domain/date-periods.ts'
import Calendar from 'lucide-solid/icons/calendar'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronLeft from 'lucide-solid/icons/chevron-left'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from './button.tsx'
import type { PeriodsBeside } from './date-range-layer.tsx'
import { lazy } from './lazy.ts'
import './date-range-picker.css'
import { namePeriod, writeDays } from './period-labels.ts'
import { Popover } from './popover.tsx'

const DateRangeLayer = lazy(async () => ({
  default: (await import('./date-range-layer.tsx')).DateRangeLayer,
}))

interface PickerProps extends Today, PeriodsBeside {
  readonly period: DatePeriod
  readonly onChange: (period: DatePeriod) => void
}

/** A period with its days in a button between two that step by its length. Days are those of the project's zone. */
export function DateRangePicker(
  props: PickerProps & { readonly isOpen?: boolean; readonly onOpenChange?: (isOpen: boolean) => void },
): JSX.Element {
  const days = (): Days => daysOfPeriod(props.period, props)
  const isDays = (): boolean => typeof props.period === 'object' && 'from' in props.period
  // All time begins with the first event: before its date is there, the days are not those of the answer.
  const isFound = (): boolean => props.period !== 'all-time' || props.firstDate !== undefined
  const next = (): Days => stepDays(days(), 'forward')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons is no fieldset
    <div class="ui-range" role="group" aria-label={t('ui.chooseDate')}>
      <IconButton
        name={t('ui.previousRange')}
        isDisabled={props.period === 'all-time'}
        onClick={() => props.onChange(stepDays(days(), 'back'))}
      >
        <ChevronLeft />
      </IconButton>
      <Popover
        label={t('ui.chooseDate')}
        placement="bottom-end"
        needs={DateRangeLayer.preload}
        {...(props.isOpen !== undefined && { isOpen: props.isOpen })}
        onOpenChange={(isOpen) => props.onOpenChange?.(isOpen)}
        trigger={(attributes) => (
          <Button {...attributes} icon={<Calendar />}>
            <span class="ui-range-label">
              {props.name ?? namePeriod(props.period, props.today)}
              <Show when={props.name === undefined && !isDays() && isFound()}>
                <span class="ui-range-days">{writeDays(days(), props.today)}</span>
              </Show>
              <ChevronDown />
            </span>
          </Button>
        )}
      >
        {(close) => <DateRangeLayer {...props} close={close} />}
      </Popover>
      <IconButton
        name={t('ui.nextRange')}
        isDisabled={next().from > props.today}
        onClick={() => props.onChange(untilToday(next(), props.today))}
      >
        <ChevronRight />
      </IconButton>
    </div>
  )
}

function untilToday({ from, to }: Days, today: string): Days {
  return { from, to: to < today ? to : today }
}

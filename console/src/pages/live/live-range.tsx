import { dateOf } from '@domain/calendar.ts'
import { createSignal, type JSX } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import {
  daysOfInsight,
  HOUR_PERIODS,
  type HourPeriod,
  type InsightPeriod,
  isHours,
} from '../../insights/insight-period.ts'
import { DateRangePicker } from '../../ui/date-range-picker.tsx'
import type { LiveView } from './live-view.ts'

const HOUR_NAMES = {
  LAST_1_HOUR: 'live.lastHour',
  LAST_6_HOURS: 'live.last6Hours',
  LAST_24_HOURS: 'live.last24Hours',
} as const satisfies Record<HourPeriod, NameKey>

/** Chooses the newest events by arrival, or those of a period. */
export function LiveRange(props: {
  readonly view: LiveView
  readonly firstDate: string | undefined
}): JSX.Element {
  const workspace = useWorkspace()
  const [isOpen, setOpen] = createSignal(false)
  useKeys([{ keys: 'd', label: t('ui.chooseDate'), run: () => setOpen(true) }])
  const today = (): string => dateOf(Date.now(), workspace().timeZone)
  const period = (): InsightPeriod | undefined => props.view.state().period
  const days = () => {
    const chosen = period()
    if (chosen === undefined) return 'today'
    return isHours(chosen)
      ? daysOfInsight(chosen, { nowMs: Date.now(), timeZone: workspace().timeZone })
      : chosen
  }
  const name = (): string | undefined => {
    const chosen = period()
    if (chosen === undefined) return t('live.newest')
    return isHours(chosen) ? t(HOUR_NAMES[chosen]) : undefined
  }
  const choose = (chosen: InsightPeriod | undefined): void =>
    props.view.change({ period: chosen, minuteMs: undefined })
  return (
    <DateRangePicker
      period={days()}
      name={name()}
      today={today()}
      firstDate={props.firstDate}
      isOpen={isOpen()}
      onOpenChange={setOpen}
      morePresets={[undefined, ...HOUR_PERIODS].map((preset) => ({
        label: preset === undefined ? t('live.newest') : t(HOUR_NAMES[preset]),
        isChosen: period() === preset,
        choose: () => choose(preset),
      }))}
      onChange={choose}
    />
  )
}

import { dateOf } from '@domain/calendar.ts'
import GitCompareArrows from 'lucide-solid/icons/git-compare-arrows'
import { createSignal, type JSX, Show, Suspense } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { DateRangePicker } from '../../ui/date-range-picker.tsx'
import { lazy } from '../../ui/lazy.ts'
import { Menu } from '../../ui/menu.tsx'
import { writeDays } from '../../ui/period-labels.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { InsightEditor } from '../insight-editor.ts'
import {
  COMPARISONS,
  type Compare,
  comparedDays,
  DEFAULT_PERIOD,
  daysOfInsight,
  fittingGranularities,
  HOUR_PERIODS,
  type HourPeriod,
  isHours,
  type NamedCompare,
} from '../insight-period.ts'
import { GRANULARITY_NAMES, viewName } from '../model/names.ts'
import { viewsOf } from '../spec.ts'
import { INSIGHT_TYPES } from '../types/insight-types.ts'
import { FunnelViews } from './funnel-views.tsx'
import { ViewIcon } from './view-icons.tsx'

const CompareDialog = lazy(async () => ({
  default: (await import('../../ui/compare-dialog.tsx')).CompareDialog,
}))

const HOUR_NAMES = {
  LAST_1_HOUR: 'insights.lastHour',
  LAST_6_HOURS: 'insights.last6Hours',
  LAST_24_HOURS: 'insights.last24Hours',
} as const satisfies Record<HourPeriod, NameKey>

const COMPARE_NAMES = {
  none: 'insights.compareNone',
  previous: 'insights.comparePrevious',
  week: 'insights.compareWeek',
  month: 'insights.compareMonth',
  year: 'insights.compareYear',
} as const satisfies Record<NamedCompare, NameKey>

/** The time, the comparison and the view of an answer. */
export function ResultBar(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  const views = () => viewsOf(editor.draft())
  return (
    <div class="result-bar">
      <div class="result-controls">
        <TimeControl editor={editor} />
        <Show when={isTimed(editor)}>
          <IntervalControl editor={editor} />
        </Show>
        <Show when={isComparable(editor)}>
          <CompareControl editor={editor} />
        </Show>
      </div>
      <div class="result-controls">
        <FunnelViews editor={editor} />
        <SegmentedControl
          label={t('insights.view')}
          look="icon-only"
          size="large"
          choices={views().map((view) => ({
            value: view,
            label: viewName(view),
            icon: <ViewIcon view={view} />,
          }))}
          value={editor.view()}
          onChange={(view) => editor.change({ view })}
        />
      </div>
    </div>
  )
}

/** Funnels and retention have their interval among the settings of their query. */
function isTimed(editor: InsightEditor): boolean {
  return editor.draft().type === 'INSIGHT_TYPE_TRENDS'
}

function isComparable(editor: InsightEditor): boolean {
  return INSIGHT_TYPES[editor.draft().type].comparable !== undefined
}

function TimeControl(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  const [isOpen, setOpen] = createSignal(false)
  const today = (): string => dateOf(editor.now().nowMs, editor.now().timeZone)
  const hours = (): HourPeriod | undefined => {
    const { period } = editor.state()
    return isHours(period) ? period : undefined
  }
  const days = () => {
    const { period } = editor.state()
    return isHours(period) ? daysOfInsight(period, editor.now()) : period
  }
  const showToday = (): void =>
    editor.change({ period: editor.state().period === 'today' ? DEFAULT_PERIOD : 'today' })
  useKeys([
    { keys: 'd', label: t('ui.chooseDate'), run: () => setOpen(true) },
    { keys: 't', label: t('ui.today'), run: showToday },
  ])
  const name = (): string | undefined => {
    const chosen = hours()
    return chosen && t(HOUR_NAMES[chosen])
  }
  return (
    <DateRangePicker
      period={days()}
      name={name()}
      today={today()}
      firstDate={editor.now().firstDate}
      isOpen={isOpen()}
      onOpenChange={setOpen}
      morePresets={HOUR_PERIODS.map((period) => ({
        label: t(HOUR_NAMES[period]),
        isChosen: hours() === period,
        choose: () => editor.change({ period }),
      }))}
      onChange={(period) => editor.change({ period })}
    />
  )
}

function IntervalControl(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  return (
    <Select
      label={t('insights.interval')}
      labelDisplay="hidden"
      value={editor.granularity()}
      options={fittingGranularities(editor.state().period, editor.now(), editor.draft().type).map(
        (value) => ({
          value,
          label: t(GRANULARITY_NAMES[value]),
        }),
      )}
      onChange={(granularity) => editor.change({ granularity })}
    />
  )
}

/** The entry of the menu that leads to a custom range. */
const CUSTOM = 'custom'

function CompareControl(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  const [isOpen, setOpen] = createSignal(false)
  const compare = (): Compare => editor.state().compare
  const today = (): string => dateOf(editor.now().nowMs, editor.now().timeZone)
  useKeys([
    {
      keys: 'c',
      label: t('insights.compare'),
      run: () => editor.change({ compare: compare() === 'none' ? 'previous' : 'none' }),
    },
  ])
  const name = (): string => {
    const now = compare()
    if (typeof now === 'string') return t(now === 'none' ? 'insights.compareTo' : COMPARE_NAMES[now])
    const days = comparedDays(editor.query(), editor.now())
    return days ? writeDays(days, today()) : t('insights.compareTo')
  }
  const choose = (value: string): void => {
    const named = COMPARISONS.find((known) => known === value)
    if (named) editor.change({ compare: named })
    else setOpen(true)
  }
  return (
    <>
      <Menu
        trigger={(attributes) => (
          <Button {...attributes} class="icon-on-phones" icon={<GitCompareArrows />}>
            {name()}
          </Button>
        )}
        entries={[
          {
            label: t('insights.compareTo'),
            value: typeof compare() === 'string' ? String(compare()) : CUSTOM,
            choices: [
              ...COMPARISONS.map((value) => ({ value, label: t(COMPARE_NAMES[value]) })),
              { value: CUSTOM, label: t('ui.compareCustom') },
            ],
            onChange: choose,
          },
        ]}
      />
      <Suspense>
        <Show when={isOpen()}>
          <CompareDialog
            days={daysOfInsight(editor.state().period, editor.now())}
            from={comparedDays(editor.query(), editor.now())?.from}
            today={today()}
            onChoose={(from) => editor.change({ compare: { from } })}
            onClose={() => setOpen(false)}
          />
        </Show>
      </Suspense>
    </>
  )
}

import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { CohortChips } from '../../cohorts/cohort-chips.tsx'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Input } from '../../ui/input.tsx'
import { namePeriod } from '../../ui/period-labels.ts'
import { sentenceOf } from '../overview/filter-words.ts'
import { readFilter } from '../overview/requests.ts'
import type { FindProblem } from '../settings/form-card.tsx'
import type { ReportDraft } from './report-draft.ts'
import { useContents } from './report-list.ts'
import { OWN_PERIODS } from './report-words.ts'
import './messages.ts'

/** The ranges that a report shows beside the period of its schedule, with their days. */
const RANGES = [
  [TimeRangePreset.LAST_7_DAYS, 7],
  [TimeRangePreset.LAST_14_DAYS, 14],
  [TimeRangePreset.LAST_30_DAYS, 30],
  [TimeRangePreset.LAST_90_DAYS, 90],
  [TimeRangePreset.LAST_180_DAYS, 180],
  [TimeRangePreset.LAST_365_DAYS, 365],
] as const

/** What a report shows. */
export function ContentCard(props: {
  readonly draft: ReportDraft
  readonly problem: FindProblem
  readonly onChange: (part: Partial<ReportDraft>) => void
}): JSX.Element {
  const { options, isLoaded, labelOf } = useContents()
  const list = createCohortList()
  /** A name follows the content until the author chooses one. */
  const choose = (dashboardId: string): void => {
    const { name, dashboardId: before } = props.draft
    const isOwn = name.trim() !== '' && name !== labelOf(before)
    props.onChange({ dashboardId, ...(!isOwn && { name: labelOf(dashboardId) ?? name }) })
  }
  const ranges = () => [
    { value: String(TimeRangePreset.UNSPECIFIED), label: t(OWN_PERIODS[props.draft.frequency]) },
    ...RANGES.map(([preset, days]) => ({
      value: String(preset),
      label: namePeriod({ last: days, unit: 'days' }, ''),
    })),
  ]
  return (
    <Card>
      <div class="reports-fields">
        <Select
          label={t('reports.content')}
          options={options()}
          value={props.draft.dashboardId}
          placeholder={isLoaded() ? t('reports.dashboardGone') : ''}
          onChange={choose}
        />
        <Input
          label={t('common.name')}
          hint={t('reports.nameHint')}
          required
          maxLength={255}
          value={props.draft.name}
          problem={props.problem('report.name')}
          onInput={(name) => props.onChange({ name })}
        />
        <Select
          label={t('reports.range')}
          options={ranges()}
          value={String(props.draft.timeRange)}
          onChange={(preset) => props.onChange({ timeRange: Number(preset) as TimeRangePreset })}
        />
        <Show when={props.draft.dashboardId === '' && props.draft.filters.length > 0}>
          <Filters filters={props.draft.filters} onClear={() => props.onChange({ filters: [] })} />
        </Show>
        <Show when={props.draft.dashboardId === ''}>
          <CohortChips
            cohorts={list.cohorts() ?? []}
            filters={props.draft.cohorts}
            onChange={(cohorts) => props.onChange({ cohorts })}
          />
        </Show>
      </div>
    </Card>
  )
}

/** The conditions on the visits of the overview. */
function Filters(props: {
  readonly filters: ReportDraft['filters']
  readonly onClear: () => void
}): JSX.Element {
  return (
    <div>
      <p class="ui-field-label">{t('reports.filters')}</p>
      <ul class="reports-filters">
        <For each={props.filters}>
          {(filter) => {
            const known = readFilter(filter)
            return <li>{known ? sentenceOf(known) : filter.value}</li>
          }}
        </For>
      </ul>
      <Button size="small" onClick={() => props.onClear()}>
        {t('overview.clearFilters')}
      </Button>
    </div>
  )
}

import { type JSX, Match, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { weekdayNames } from '../../ui/period-labels.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { FindProblem } from '../settings/form-card.tsx'
import { ZoneField } from '../zone-field.tsx'
import { FREQUENCY_NAMES, type ReportDraft } from './report-draft.ts'
import { FREQUENCY_WORDS, LAST_DAY, nameHour } from './report-words.ts'
import './messages.ts'

const HOURS = 24

/** February has so many days in each year. */
const SHORTEST_MONTH = 28

/** When a report is mailed. */
export function ScheduleCard(props: {
  readonly draft: ReportDraft
  readonly problem: FindProblem
  readonly onChange: (part: Partial<ReportDraft>) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const weekdays = weekdayNames().map(({ long }, at) => ({ value: String(at + 1), label: long }))
  const monthDays = Array.from({ length: LAST_DAY }, (_, at) => ({
    value: String(at + 1),
    label: at + 1 === LAST_DAY ? t('reports.lastDay') : String(at + 1),
  }))
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ value: String(hour), label: nameHour(hour) }))
  const isMissing = (): boolean => props.draft.day > SHORTEST_MONTH && props.draft.day < LAST_DAY
  return (
    <Card title={t('reports.schedule')}>
      <div class="reports-fields">
        <SegmentedControl
          label={t('reports.schedule')}
          choices={FREQUENCY_NAMES.map((value) => ({ value, label: t(FREQUENCY_WORDS[value]) }))}
          value={props.draft.frequency}
          onChange={(frequency) => props.onChange({ frequency, day: 1 })}
        />
        <div class="reports-pair">
          <Switch>
            <Match when={props.draft.frequency === 'weekly'}>
              <Select
                label={t('reports.weekday')}
                options={weekdays}
                value={String(props.draft.day)}
                problem={props.problem('report.schedule.day')}
                onChange={(day) => props.onChange({ day: Number(day) })}
              />
            </Match>
            <Match when={props.draft.frequency === 'monthly'}>
              <Select
                label={t('reports.monthDay')}
                hint={isMissing() ? t('reports.shortMonths') : undefined}
                options={monthDays}
                value={String(props.draft.day)}
                onChange={(day) => props.onChange({ day: Number(day) })}
              />
            </Match>
          </Switch>
          <Select
            label={t('reports.hour')}
            options={hours}
            value={String(props.draft.hour)}
            onChange={(hour) => props.onChange({ hour: Number(hour) })}
          />
        </div>
        <ZoneField
          value={props.draft.timeZone}
          emptyLabel={t('reports.projectZone', { zone: workspace().timeZone })}
          problem={props.problem('report.schedule.timezone')}
          onChange={(timeZone) => props.onChange({ timeZone })}
        />
      </div>
    </Card>
  )
}

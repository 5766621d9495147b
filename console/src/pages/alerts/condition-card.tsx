import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { unitOfLimit, type ValueUnit } from '@domain/alerts/value-unit.ts'
import { type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Input } from '../../ui/input.tsx'
import type { FindProblem } from '../settings/form-card.tsx'
import {
  type AlertDraft,
  CADENCES,
  type CadenceName,
  hasRangeUnits,
  parseAmount,
  RULES,
  rulesOf,
} from './alert-draft.ts'
import { CADENCE_WORDS, describeRule, LIMIT_LABELS } from './alert-words.ts'
import './messages.ts'
import { PointFields } from './point-fields.tsx'

/** When an alert fires: the number, the condition, and how often it is checked. */
export function ConditionCard(props: {
  readonly draft: AlertDraft
  readonly spec: InsightQuerySpec
  readonly valueUnit: ValueUnit
  /** The insight, as a link. */
  readonly insight: JSX.Element
  readonly problem: FindProblem
  readonly onChange: (part: Partial<AlertDraft>) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const limitUnit = () => unitOfLimit(RULES[props.draft.rule], props.valueUnit)
  const limitProblem = (): string | undefined =>
    props.draft.amount.trim() !== '' && parseAmount(props.draft.amount) === undefined
      ? t('alerts.limitProblem')
      : props.problem('content.condition.threshold')
  const chooseCadence = (cadence: CadenceName): void => {
    const rules = rulesOf(cadence)
    const { rule } = props.draft
    props.onChange({ cadence, rule: rules.includes(rule) ? rule : 'above' })
  }
  return (
    <Card title={t('alerts.when')}>
      <div class="alerts-fields">
        <p class="alerts-insight">{props.insight}</p>
        <PointFields
          spec={props.spec}
          point={props.draft.point}
          onChange={(point) => props.onChange({ point })}
        />
        <Show when={props.problem('content.point')}>
          {(problem) => <p class="alerts-error">{problem()}</p>}
        </Show>
        <div class="alerts-sentence">
          <Select
            label={t('alerts.condition')}
            options={rulesOf(props.draft.cadence).map((rule) => ({
              value: rule,
              label: describeRule(rule, '…', props.valueUnit),
            }))}
            value={props.draft.rule}
            onChange={(rule) => props.onChange({ rule })}
          />
          <Input
            label={t(LIMIT_LABELS[limitUnit()])}
            inputMode="decimal"
            required
            value={props.draft.amount}
            problem={limitProblem()}
            onInput={(amount) => props.onChange({ amount })}
          />
        </div>
        <Select
          label={t('alerts.checked')}
          hint={t('alerts.checkedHint', { zone: workspace().timeZone })}
          options={(Object.keys(CADENCES) as CadenceName[]).map((value) => ({
            value,
            label: t(CADENCE_WORDS[value]),
          }))}
          value={props.draft.cadence}
          onChange={chooseCadence}
        />
        <Show when={hasRangeUnits(props.spec)}>
          <Input
            label={t('alerts.units')}
            hint={t('alerts.unitsHint')}
            type="number"
            min={1}
            max={90}
            value={props.draft.rangeUnits}
            problem={props.problem('content.rangeUnits')}
            onInput={(rangeUnits) => props.onChange({ rangeUnits })}
          />
        </Show>
      </div>
    </Card>
  )
}

import {
  ThresholdRule_Operator as Operator,
  ThresholdRule_Tone as Tone,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { Index, type JSX, Show } from 'solid-js'
import { SelectField, TextField } from '../ui/field.tsx'
import { newRule, type RuleDraft } from './tile-draft.ts'

/** Most rules of a tile. */
const RULES_MAX = 20

const OPERATOR_CHOICES = [
  { value: String(Operator.GTE), label: 'at least' },
  { value: String(Operator.GT), label: 'more than' },
  { value: String(Operator.LTE), label: 'at most' },
  { value: String(Operator.LT), label: 'less than' },
] as const

const TONE_CHOICES = [
  { value: String(Tone.GOOD), label: 'good' },
  { value: String(Tone.WARN), label: 'worth a look' },
  { value: String(Tone.BAD), label: 'bad' },
  { value: String(Tone.NEUTRAL), label: 'neutral' },
] as const

/** The threshold rules of a tile; the first that a value meets sets its tone. */
export function RuleFields(props: {
  readonly rules: readonly RuleDraft[]
  readonly onChange: (rules: RuleDraft[]) => void
}): JSX.Element {
  const change = (index: number, part: Partial<RuleDraft>): void =>
    props.onChange(props.rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)))
  return (
    <fieldset class="rules">
      <legend>Thresholds</legend>
      <p class="quiet small">The first threshold that a value meets applies.</p>
      <Index each={props.rules}>
        {(rule, index) => (
          <div class="rule">
            <SelectField
              label="Value is"
              value={String(rule().operator)}
              choices={OPERATOR_CHOICES}
              onChange={(operator) => change(index, { operator: Number(operator) })}
            />
            <TextField
              label="Bound"
              type="number"
              step="any"
              required
              value={rule().value}
              onChange={(value) => change(index, { value })}
            />
            <SelectField
              label="That is"
              value={String(rule().tone)}
              choices={TONE_CHOICES}
              onChange={(tone) => change(index, { tone: Number(tone) })}
            />
            <button
              type="button"
              class="button quiet-button"
              aria-label={`Remove threshold ${index + 1}`}
              onClick={() => props.onChange(props.rules.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </div>
        )}
      </Index>
      <Show when={props.rules.length < RULES_MAX}>
        <button type="button" class="button" onClick={() => props.onChange([...props.rules, newRule()])}>
          Add threshold
        </button>
      </Show>
    </fieldset>
  )
}

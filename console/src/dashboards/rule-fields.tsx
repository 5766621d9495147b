import {
  ThresholdRule_Operator as Operator,
  ThresholdRule_Tone as Tone,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import Plus from 'lucide-solid/icons/plus'
import X from 'lucide-solid/icons/x'
import { Index, type JSX, Show } from 'solid-js'
import { type NameKey, t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Select } from '../ui/combobox.tsx'
import { Input } from '../ui/input.tsx'
import { newRule, type RuleDraft } from './tile-draft.ts'

/** Most rules of a tile. */
const RULES_MAX = 20

const OPERATORS: readonly (readonly [Operator, NameKey])[] = [
  [Operator.GTE, 'dashboards.atLeast'],
  [Operator.GT, 'dashboards.moreThan'],
  [Operator.LTE, 'dashboards.atMost'],
  [Operator.LT, 'dashboards.lessThan'],
]

const TONES: readonly (readonly [Tone, NameKey])[] = [
  [Tone.GOOD, 'dashboards.toneGood'],
  [Tone.WARN, 'dashboards.toneWarn'],
  [Tone.BAD, 'dashboards.toneBad'],
  [Tone.NEUTRAL, 'dashboards.toneNeutral'],
]

function optionsOf(names: readonly (readonly [number, NameKey])[]) {
  return names.map(([value, name]) => ({ value: String(value), label: t(name) }))
}

/** The threshold rules of a tile; the first that a value meets sets its tone. */
export function RuleFields(props: {
  readonly rules: readonly RuleDraft[]
  readonly onChange: (rules: RuleDraft[]) => void
}): JSX.Element {
  const change = (index: number, part: Partial<RuleDraft>): void =>
    props.onChange(props.rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)))
  return (
    <fieldset class="tile-rules">
      <legend>{t('dashboards.thresholds')}</legend>
      <p class="tile-rules-hint">{t('dashboards.thresholdsHint')}</p>
      <Index each={props.rules}>
        {(rule, index) => (
          <div class="tile-rule">
            <Select
              label={t('dashboards.valueIs')}
              value={String(rule().operator)}
              options={optionsOf(OPERATORS)}
              onChange={(operator) => change(index, { operator: Number(operator) })}
            />
            <Input
              label={t('dashboards.bound')}
              type="number"
              step="any"
              required
              value={rule().value}
              onInput={(value) => change(index, { value })}
            />
            <Select
              label={t('dashboards.thatIs')}
              value={String(rule().tone)}
              options={optionsOf(TONES)}
              onChange={(tone) => change(index, { tone: Number(tone) })}
            />
            <IconButton
              tone="ghost"
              name={t('dashboards.removeThreshold', { number: index + 1 })}
              onClick={() => props.onChange(props.rules.filter((_, at) => at !== index))}
            >
              <X />
            </IconButton>
          </div>
        )}
      </Index>
      <Show when={props.rules.length < RULES_MAX}>
        <Button size="small" icon={<Plus />} onClick={() => props.onChange([...props.rules, newRule()])}>
          {t('dashboards.addThreshold')}
        </Button>
      </Show>
    </fieldset>
  )
}

import { type JSX, Show } from 'solid-js'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { PropertyPicker } from '../../picker/pickers.tsx'
import { SelectChip } from '../../ui/chip.tsx'
import { Select } from '../../ui/combobox.tsx'
import { decodeSource } from '../model/filters.ts'
import {
  RETENTION_PERIODS,
  RETENTION_VALUES,
  RETURN_RULES,
  type RetentionOptionsDraft,
  type RetentionPeriods,
  type RetentionValue,
  type ReturnRule,
  START_RULES,
  type StartRule,
} from '../model/retention-options.ts'
import { Choice } from './option-controls.tsx'

const START_NAMES = {
  START_RULE_FIRST_IN_RANGE: 'insights.startFirstInRange',
  START_RULE_FIRST_EVER: 'insights.startFirstEver',
  START_RULE_EVERY: 'insights.startEvery',
} as const satisfies Record<StartRule, NameKey>

const RETURN_NAMES = {
  RETURN_RULE_ON: 'insights.returnOn',
  RETURN_RULE_ON_OR_AFTER: 'insights.returnOnOrAfter',
} as const satisfies Record<ReturnRule, NameKey>

const PERIOD_NAMES = {
  PERIODS_CALENDAR: 'insights.periodsCalendar',
  PERIODS_ELAPSED: 'insights.periodsElapsed',
} as const satisfies Record<RetentionPeriods, NameKey>

const VALUE_NAMES = {
  VALUE_USERS: 'insights.people',
  VALUE_PROPERTY_SUM: 'insights.sum',
  VALUE_PROPERTY_AVG: 'insights.averagePerPerson',
} as const satisfies Record<RetentionValue, NameKey>

interface OptionsProps {
  readonly options: RetentionOptionsDraft
  readonly onChange: (options: RetentionOptionsDraft) => void
}

/** Which first events count, when people have come back, and what the periods are. */
export function RetentionSettings(props: OptionsProps): JSX.Element {
  const change = (changed: Partial<RetentionOptionsDraft>): void =>
    props.onChange({ ...props.options, ...changed })
  return (
    <>
      <Choice
        label={t('insights.startFrom')}
        value={props.options.startRule}
        values={START_RULES}
        names={START_NAMES}
        onChange={(startRule) => change({ startRule })}
      />
      <Choice
        label={t('insights.countReturn')}
        value={props.options.returnRule}
        values={RETURN_RULES}
        names={RETURN_NAMES}
        onChange={(returnRule) => change({ returnRule })}
      />
      <Choice
        label={t('insights.countPeriods')}
        value={props.options.periods}
        values={RETENTION_PERIODS}
        names={PERIOD_NAMES}
        onChange={(periods) => change({ periods })}
      />
    </>
  )
}

/** The people who come back, or a number property of what they do then. */
export function RetentionMeasure(props: OptionsProps & { readonly catalog: Catalog }): JSX.Element {
  const name = (): string => props.options.property
  const reference = () =>
    name() === '' ? undefined : { property: name(), source: decodeSource(undefined, name()) }
  return (
    <div class="query-choice">
      <Select
        label={t('insights.measure')}
        labelDisplay="hidden"
        value={props.options.value}
        options={RETENTION_VALUES.map((value) => ({ value, label: t(VALUE_NAMES[value]) }))}
        onChange={(value) =>
          props.onChange({ ...props.options, value, property: value === 'VALUE_USERS' ? '' : name() })
        }
      />
      <Show when={props.options.value !== 'VALUE_USERS'}>
        <PropertyPicker
          catalog={props.catalog}
          label={t('insights.chooseProperty')}
          kinds={['property', 'page']}
          property={reference()}
          onChoose={({ property }) => props.onChange({ ...props.options, property })}
          trigger={(attributes) => (
            <SelectChip {...attributes} state={name() === '' ? 'error' : 'plain'}>
              <bdi>{labelOf(reference())}</bdi>
            </SelectChip>
          )}
        />
      </Show>
    </div>
  )
}

function labelOf(reference: Parameters<typeof labelOfProperty>[0] | undefined): string {
  return reference ? labelOfProperty(reference) : t('insights.chooseProperty')
}

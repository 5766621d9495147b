import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import { type JSX, Match, Switch } from 'solid-js'
import { CohortPicker, nameOfCohort } from '../../cohorts/cohort-chips.tsx'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { FilterChips } from '../../picker/filter-chips.tsx'
import { EventChip } from '../../picker/query-chips.tsx'
import { LetterBadge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { SelectChip } from '../../ui/chip.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Input } from '../../ui/input.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { COUNT_OPERATORS, type ConditionDraft } from './cohort-draft.ts'
import { OPERATOR_NAMES } from './describe-condition.ts'

/** What conditions are made of. */
export interface ConditionParts {
  readonly catalog: Catalog
  /** The cohorts that can be referred to. */
  readonly cohorts: readonly Cohort[]
}

type Part<Kind extends ConditionDraft['kind']> = Extract<ConditionDraft, { kind: Kind }>

interface RowProps<Condition> {
  readonly parts: ConditionParts
  readonly condition: Condition
  readonly letter: string
  readonly onChange: (condition: Condition) => void
}

/** One condition as a row of chips. */
export function ConditionRow(
  props: RowProps<ConditionDraft> & { readonly onRemove: (() => void) | undefined },
): JSX.Element {
  const entries = (): readonly MenuEntry[] => [
    {
      label: t(props.condition.isNegated ? 'cohorts.include' : 'cohorts.exclude'),
      onSelect: () => props.onChange({ ...props.condition, isNegated: !props.condition.isNegated }),
    },
    ...(props.onRemove ? [{ label: t('common.remove'), onSelect: props.onRemove }] : []),
  ]
  const of = <Kind extends ConditionDraft['kind']>(kind: Kind): Part<Kind> | undefined =>
    props.condition.kind === kind ? (props.condition as Part<Kind>) : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of chips is no form
    <div class="cohorts-row" role="group" aria-label={t('cohorts.conditionName', { letter: props.letter })}>
      <LetterBadge letter={props.letter} />
      <div class="cohorts-row-parts">
        <Switch>
          <Match when={of('performed')}>
            {(condition) => <Performed {...props} condition={condition()} />}
          </Match>
          <Match when={of('first')}>{(condition) => <First {...props} condition={condition()} />}</Match>
          <Match when={of('property')}>
            {(condition) => <Property {...props} condition={condition()} />}
          </Match>
          <Match when={of('cohort')}>{(condition) => <InCohort {...props} condition={condition()} />}</Match>
        </Switch>
      </div>
      <Menu
        trigger={(attributes) => (
          <IconButton {...attributes} tone="ghost" size="small" name={t('common.moreActions')}>
            <Ellipsis />
          </IconButton>
        )}
        entries={entries()}
      />
    </div>
  )
}

function Performed(props: RowProps<Part<'performed'>>): JSX.Element {
  const count = (text: string): void => {
    const number = Number(text)
    if (text.trim() !== '' && Number.isSafeInteger(number) && number >= 0)
      props.onChange({ ...props.condition, count: number })
  }
  return (
    <>
      <span>{t(props.condition.isNegated ? 'cohorts.didNot' : 'cohorts.did')}</span>
      <Event {...props} />
      <Combobox
        label={t('cohorts.compare')}
        options={COUNT_OPERATORS.map((value) => ({ value, label: t(OPERATOR_NAMES[value]) }))}
        value={props.condition.operator}
        search="by length"
        onChange={(operator) => props.onChange({ ...props.condition, operator })}
        trigger={(attributes) => (
          <SelectChip {...attributes}>{t(OPERATOR_NAMES[props.condition.operator])}</SelectChip>
        )}
      />
      <Input
        label={t('cohorts.times')}
        labelDisplay="hidden"
        class="cohorts-count"
        inputMode="numeric"
        value={String(props.condition.count)}
        onChange={count}
      />
      <span aria-hidden="true">×</span>
      <Period {...props} />
      <Filters {...props} />
    </>
  )
}

function First(props: RowProps<Part<'first'>>): JSX.Element {
  return (
    <>
      <span>{t(props.condition.isNegated ? 'cohorts.didNotFirst' : 'cohorts.didFirst')}</span>
      <Event {...props} />
      <Period {...props} />
      <Filters {...props} />
    </>
  )
}

type EventCondition = Part<'performed'> | Part<'first'>

function Event<Condition extends EventCondition>(props: RowProps<Condition>): JSX.Element {
  return (
    <EventChip
      catalog={props.parts.catalog}
      event={props.condition.event}
      onChoose={({ event, filters }) =>
        props.onChange({
          ...props.condition,
          event,
          filters: filters.length > 0 ? filters : props.condition.filters,
        })
      }
    />
  )
}

function Filters<Condition extends EventCondition>(props: RowProps<Condition>): JSX.Element {
  return (
    <FilterChips
      catalog={props.parts.catalog}
      filters={props.condition.filters}
      event={props.condition.event}
      onChange={(filters) => props.onChange({ ...props.condition, filters })}
    />
  )
}

/** The periods that are offered, beside one that the API has set. */
const PERIODS = [1, 7, 14, 30, 60, 90, 180, 365, 0] as const

function nameOfPeriod(days: number): string {
  return days === 0 ? t('cohorts.anyTime') : t('cohorts.lastDays', { count: days })
}

function Period<Condition extends EventCondition>(props: RowProps<Condition>): JSX.Element {
  const periods = (): readonly number[] => [...new Set([...PERIODS, props.condition.days])]
  return (
    <Combobox
      label={t('cohorts.period')}
      options={periods().map((days) => ({ value: String(days), label: nameOfPeriod(days) }))}
      value={String(props.condition.days)}
      search="by length"
      onChange={(days) => props.onChange({ ...props.condition, days: Number(days) })}
      trigger={(attributes) => <SelectChip {...attributes}>{nameOfPeriod(props.condition.days)}</SelectChip>}
    />
  )
}

function Property(props: RowProps<Part<'property'>>): JSX.Element {
  return (
    <>
      <span>{t(props.condition.isNegated ? 'cohorts.hasNot' : 'cohorts.has')}</span>
      <FilterChips
        catalog={props.parts.catalog}
        kinds={['person']}
        filters={props.condition.filter ? [props.condition.filter] : []}
        filtersMax={1}
        addName={t('cohorts.chooseProperty')}
        onChange={(filters) => props.onChange({ ...props.condition, filter: filters.at(-1) })}
      />
    </>
  )
}

function InCohort(props: RowProps<Part<'cohort'>>): JSX.Element {
  const name = (): string => {
    const { cohortId } = props.condition
    return cohortId === '' ? t('cohorts.chooseCohort') : nameOfCohort(props.parts.cohorts, cohortId)
  }
  return (
    <>
      <span>{t(props.condition.isNegated ? 'cohorts.isNot' : 'cohorts.is')}</span>
      <CohortPicker
        cohorts={props.parts.cohorts}
        label={t('cohorts.chooseCohort')}
        value={props.condition.cohortId || undefined}
        onChoose={(cohortId) => props.onChange({ ...props.condition, cohortId })}
        trigger={(attributes) => (
          <SelectChip {...attributes} state={props.condition.cohortId === '' ? 'error' : 'plain'}>
            <bdi>{name()}</bdi>
          </SelectChip>
        )}
      />
    </>
  )
}

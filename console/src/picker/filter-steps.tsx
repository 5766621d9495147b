import './messages.ts'
import { createEffect, createSignal, type JSX, Match, on, Switch } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { ListPicker } from '../ui/list-picker.tsx'
import type { Catalog } from './catalog.ts'
import { type FilterDraft, isComplete, keepValues, type PropertyRef } from './filter-draft.ts'
import { labelOfProperty } from './names.ts'
import { PropertyList, type PropertyScope } from './pickers.tsx'
import { ValueStep } from './value-step.tsx'
import { findForm, type OperatorForm, operatorsOf } from './value-types.ts'

/** A part of a filter. */
export type FilterPart = 'property' | 'operator' | 'value'

/** The props of the steps of a filter. */
export interface FilterStepsProps extends PropertyScope {
  readonly catalog: Catalog
  /** The filter that is changed; a new one begins without a property. */
  readonly filter: FilterDraft
  readonly start: FilterPart
  /** The event whose values are suggested; empty for all. */
  readonly event: string
  /** Called with each complete filter. */
  readonly onChange: (filter: FilterDraft) => void
  readonly onClose: () => void
}

/** Property, operator and values, one list after another in the same layer; each leads to the next that is needed. */
export function FilterSteps(props: FilterStepsProps): JSX.Element {
  const [step, setStep] = createSignal(props.start)
  const [draft, setDraft] = createSignal(props.filter)
  let box: HTMLDivElement | undefined
  // The list that had the focus is gone.
  const focusNext = (): void =>
    box?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  createEffect(on(step, () => queueMicrotask(focusNext), { defer: true }))
  const change = (filter: FilterDraft): void => {
    setDraft(filter)
    if (isComplete(filter)) props.onChange(filter)
  }
  const chooseProperty = (property: PropertyRef): void => {
    const form = findForm(draft(), props.catalog.typeOf(property))
    const isKnown = operatorsOf(props.catalog.typeOf(property)).includes(form)
    const { operator } = isKnown ? form : { operator: draft().operator }
    setDraft({ ...property, operator, values: [] })
    setStep('operator')
  }
  const chooseOperator = (form: OperatorForm): void => {
    const { operator } = form
    const filter = { ...draft(), operator, values: form.values ?? keepValues(draft().values, operator) }
    change(filter)
    if (isComplete(filter)) props.onClose()
    else setStep('value')
  }
  return (
    <div ref={box} class="filter-steps">
      <Switch>
        <Match when={step() === 'property'}>
          <PropertyList
            catalog={props.catalog}
            label={t('picker.chooseProperty')}
            kinds={props.kinds}
            valueType={props.valueType}
            property={draft().property === '' ? undefined : draft()}
            onChoose={chooseProperty}
            onClose={props.onClose}
          />
        </Match>
        <Match when={step() === 'operator'}>
          <OperatorStep catalog={props.catalog} filter={draft()} onChoose={chooseOperator} />
        </Match>
        <Match when={step() === 'value'}>
          <ValueStep {...props} filter={draft()} onChange={change} />
        </Match>
      </Switch>
    </div>
  )
}

function OperatorStep(props: {
  readonly catalog: Catalog
  readonly filter: FilterDraft
  readonly onChoose: (form: OperatorForm) => void
}): JSX.Element {
  const type = props.catalog.typeOf(props.filter)
  const forms = operatorsOf(type)
  const chosen = (): string[] => {
    const form = findForm(props.filter, type)
    return props.filter.values.length === 0 && form.values === undefined ? [] : [form.name]
  }
  return (
    <ListPicker
      label={t('picker.operatorOf', { property: labelOfProperty(props.filter) })}
      mode="one"
      search="hidden"
      selected={chosen()}
      options={forms.map(({ name }) => ({ value: name, label: t(name) }))}
      onChoose={(name) => {
        const form = forms.find((one) => one.name === name)
        if (form) props.onChoose(form)
      }}
    />
  )
}

import ChevronRight from 'lucide-solid/icons/chevron-right'
import { Index, type JSX, Show, untrack } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import type { PropertyRef } from '../../picker/filter-draft.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { PropertyPicker } from '../../picker/pickers.tsx'
import { AddChip, ChipPart, FilterChip } from '../../ui/chip.tsx'
import { Checkbox } from '../../ui/input.tsx'
import type { TriggerAttributes } from '../../ui/popover.tsx'
import { decodeSource } from '../model/filters.ts'
import { stepWindow, withStepWindow } from '../model/funnel-options.ts'
import { type OptionsProps, stepsBetween } from './funnel-settings.tsx'
import { WindowSetting } from './option-controls.tsx'

/** The most optional steps that the service takes. */
const OPTIONAL_MAX = 6

/** The most properties that the service holds constant. */
const HELD_MAX = 3

/** The times that a step offers, in seconds. */
const STEP_WINDOWS = [60, 300, 900, 1800, 3600, 86_400, 604_800] as const

/** The time and the choice of each step, and the properties that have one value in all of them; folded away while unset. */
export function StepOptions(props: OptionsProps & { readonly catalog: Catalog }): JSX.Element {
  const isSet = untrack(() => {
    const { optionalSteps, stepWindows, holdConstant } = props.options
    return optionalSteps.length + stepWindows.length + holdConstant.length > 0
  })
  return (
    <details class="query-more" open={isSet}>
      <summary>
        {t('insights.stepOptions')}
        <ChevronRight />
      </summary>
      <div class="query-section">
        <Show when={props.options.order !== 'ORDER_ANY'}>
          <Index each={stepsBetween(2, props.stepCount)}>
            {(step) => <StepLimits {...props} step={step()} />}
          </Index>
        </Show>
        <HeldProperties {...props} />
      </div>
    </details>
  )
}

function StepLimits(props: OptionsProps & { readonly step: number }): JSX.Element {
  const number = (): string => String(props.step)
  const isOptional = (): boolean => props.options.optionalSteps.includes(props.step)
  const others = (): readonly number[] => props.options.optionalSteps.filter((step) => step !== props.step)
  return (
    <>
      <WindowSetting
        label={t('insights.stepWithin', { number: number() })}
        seconds={stepWindow(props.options, props.step)}
        offered={STEP_WINDOWS}
        onChange={(seconds) => props.onChange(withStepWindow(props.options, props.step, seconds))}
      />
      <Show when={props.options.order === 'ORDER_SEQUENTIAL' && props.step < props.stepCount}>
        <Checkbox
          label={t('insights.stepOptional', { number: number() })}
          isChecked={isOptional()}
          isDisabled={others().length >= OPTIONAL_MAX && !isOptional()}
          onChange={(isChecked) =>
            props.onChange({
              ...props.options,
              optionalSteps: [...others(), ...(isChecked ? [props.step] : [])].sort((a, b) => a - b),
            })
          }
        />
      </Show>
    </>
  )
}

/** The properties that have one value on all events of an attempt, as chips. */
function HeldProperties(props: OptionsProps & { readonly catalog: Catalog }): JSX.Element {
  const names = (): readonly string[] => props.options.holdConstant
  /** The service refuses a property twice. */
  const change = (changed: readonly string[]): void =>
    props.onChange({ ...props.options, holdConstant: [...new Set(changed)] })
  return (
    <>
      <p class="query-hint">{t('insights.holdConstant')}</p>
      <div class="ui-chip-row">
        <Index each={names()}>
          {(name, at) => (
            <FilterChip
              name={labelOf(name())}
              removeName={t('insights.removeHeld', { property: labelOf(name()) })}
              onRemove={() => change(names().toSpliced(at, 1))}
            >
              <HeldPicker
                catalog={props.catalog}
                name={name()}
                onChoose={(chosen) => change(names().with(at, chosen))}
                trigger={(attributes) => (
                  <ChipPart {...attributes} part="property">
                    <bdi>{labelOf(name())}</bdi>
                  </ChipPart>
                )}
              />
            </FilterChip>
          )}
        </Index>
        <Show when={names().length < HELD_MAX}>
          <HeldPicker
            catalog={props.catalog}
            name={undefined}
            onChoose={(chosen) => change([...names(), chosen])}
            trigger={(attributes) => <AddChip {...attributes}>{t('insights.addHeld')}</AddChip>}
          />
        </Show>
      </div>
    </>
  )
}

function HeldPicker(props: {
  readonly catalog: Catalog
  readonly name: string | undefined
  readonly onChoose: (name: string) => void
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
}): JSX.Element {
  return (
    <PropertyPicker
      catalog={props.catalog}
      label={t('insights.holdConstant')}
      kinds={['property', 'page']}
      property={props.name === undefined ? undefined : referenceTo(props.name)}
      onChoose={({ property }) => props.onChoose(property)}
      trigger={props.trigger}
    />
  )
}

function referenceTo(property: string): PropertyRef {
  return { property, source: decodeSource(undefined, property) }
}

function labelOf(property: string): string {
  return labelOfProperty(referenceTo(property))
}

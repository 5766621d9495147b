import './messages.ts'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { SelectChip } from '../ui/chip.tsx'
import { ListPicker } from '../ui/list-picker.tsx'
import { Popover } from '../ui/popover.tsx'
import type { Catalog } from './catalog.ts'
import { EventIcon } from './entry-icons.tsx'
import type { PropertyRef } from './filter-draft.ts'
import { labelOfEvent, labelOfProperty } from './names.ts'
import { type EventChoice, EventPicker, PropertyList, type PropertyScope } from './pickers.tsx'

/** The chip of an event, which opens the event picker. */
export function EventChip(props: {
  readonly catalog: Catalog
  /** Empty for all events. */
  readonly event: string
  readonly state?: 'plain' | 'error'
  readonly onChoose: (choice: EventChoice) => void
  readonly onChooseAnother?: (choice: EventChoice) => void
}): JSX.Element {
  return (
    <EventPicker
      {...props}
      label={t('picker.chooseEvent')}
      trigger={(attributes) => (
        <SelectChip
          {...attributes}
          state={props.state ?? 'plain'}
          icon={<EventIcon event={props.event} />}
          aria-label={t('picker.eventIs', { event: labelOfEvent(props.event) })}
        >
          <bdi>{labelOfEvent(props.event)}</bdi>
        </SelectChip>
      )}
    />
  )
}

/** A measure that can be chosen; `of` gives the words with its property, for those that need one. */
export interface MeasureOption<Measure extends string> {
  readonly measure: Measure
  readonly label: string
  readonly of?: (property: string) => string
  /** The properties that it takes: those of numbers without it. */
  readonly values?: 'numbers' | 'any'
}

/** The chip of a measure. Measures of a property lead to the properties that fit in the same layer. */
export function MeasureChip<Measure extends string>(
  props: Pick<PropertyScope, 'kinds'> & {
    readonly catalog: Catalog
    readonly options: readonly MeasureOption<Measure>[]
    readonly measure: Measure
    /** The property of measures that need one. */
    readonly property: PropertyRef | undefined
    readonly state?: 'plain' | 'error'
    readonly onChange: (measure: Measure, property: PropertyRef | undefined) => void
  },
): JSX.Element {
  const [pending, setPending] = createSignal<MeasureOption<Measure>>()
  const words = (): string => {
    const option = props.options.find(({ measure }) => measure === props.measure)
    if (!option?.of) return option?.label ?? ''
    return props.property ? option.of(labelOfProperty(props.property)) : option.label
  }
  return (
    <Popover
      label={t('picker.chooseMeasure')}
      scroll="inside"
      class="entry-layer"
      onOpenChange={() => setPending(undefined)}
      trigger={(attributes) => (
        <SelectChip
          {...attributes}
          state={props.state ?? 'plain'}
          aria-label={t('picker.measureIs', { measure: words() })}
        >
          <bdi>{words()}</bdi>
        </SelectChip>
      )}
    >
      {(close) => (
        <MeasureSteps
          catalog={props.catalog}
          options={props.options}
          kinds={props.kinds ?? ['property', 'page']}
          measure={props.measure}
          property={props.property}
          pending={pending()}
          onPending={setPending}
          onChange={(measure, property) => {
            close()
            props.onChange(measure, property)
          }}
          onClose={close}
        />
      )}
    </Popover>
  )
}

function MeasureSteps<Measure extends string>(
  props: Pick<PropertyScope, 'kinds'> & {
    readonly catalog: Catalog
    readonly options: readonly MeasureOption<Measure>[]
    readonly measure: Measure
    readonly property: PropertyRef | undefined
    readonly pending: MeasureOption<Measure> | undefined
    readonly onPending: (option: MeasureOption<Measure>) => void
    readonly onChange: (measure: Measure, property: PropertyRef | undefined) => void
    readonly onClose: () => void
  },
): JSX.Element {
  let box: HTMLDivElement | undefined
  const choose = (chosen: Measure): void => {
    const option = props.options.find(({ measure }) => measure === chosen)
    if (!option?.of) return props.onChange(chosen, undefined)
    props.onPending(option)
    // The list that had the focus is gone.
    queueMicrotask(() => box?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true }))
  }
  return (
    <div ref={box} class="filter-steps">
      <Show
        when={props.pending}
        fallback={
          <ListPicker
            label={t('picker.chooseMeasure')}
            mode="one"
            search="hidden"
            selected={[props.measure]}
            options={props.options.map(({ measure, label, of }) => ({
              value: measure,
              label: of ? `${label} …` : label,
            }))}
            onChoose={choose}
          />
        }
      >
        {(option) => (
          <PropertyList
            catalog={props.catalog}
            label={t(option().values === 'any' ? 'picker.chooseProperty' : 'picker.numberProperty')}
            kinds={props.kinds}
            valueType={option().values === 'any' ? undefined : 'number'}
            property={props.property}
            onChoose={(property) => props.onChange(option().measure, property)}
            onClose={props.onClose}
          />
        )}
      </Show>
    </div>
  )
}

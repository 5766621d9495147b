import ChevronsUpDown from 'lucide-solid/icons/chevrons-up-down'
import { type JSX, Show } from 'solid-js'
import { Button } from './button.tsx'
import { lazy } from './lazy.ts'
import './combobox.css'
import { FieldBox, type FieldText } from './input.tsx'
import type { ListPickerProps, Option } from './list-picker.tsx'
import { type Placement, Popover, type TriggerAttributes } from './popover.tsx'

const ListPicker = lazy(async () => ({ default: (await import('./list-picker.tsx')).ListPicker }))

/** Lists up to this length need no search field. */
const SEARCHED_FROM = 8

type ListProps<Value extends string> = Pick<
  ListPickerProps<Value>,
  'options' | 'onSearch' | 'isLoading' | 'emptyText'
>

interface LayerProps {
  /** The accessible name of the list. */
  readonly label: string
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
  readonly placement?: Placement
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

function LayerList<Value extends string>(
  props: LayerProps &
    ListPickerProps<Value> & {
      readonly stays: boolean
      readonly onUseText?: ((text: string) => void) | undefined
    },
): JSX.Element {
  return (
    <Popover
      label={props.label}
      scroll="inside"
      needs={ListPicker.preload}
      trigger={props.trigger}
      {...(props.placement !== undefined && { placement: props.placement })}
      {...(props.isOpen !== undefined && { isOpen: props.isOpen })}
      onOpenChange={(isOpen) => {
        props.onOpenChange?.(isOpen)
        if (isOpen) props.onSearch?.('')
      }}
    >
      {(close) => (
        <ListPicker
          {...props}
          onChoose={(value) => {
            props.onChoose(value)
            if (!props.stays) close()
          }}
          onUseText={
            props.onUseText &&
            ((text) => {
              props.onUseText?.(text)
              if (!props.stays) close()
            })
          }
        />
      )}
    </Popover>
  )
}

/** A searchable list beside a button, to choose one value. */
export function Combobox<Value extends string>(
  props: LayerProps &
    ListProps<Value> & {
      readonly value: Value | undefined
      readonly onChange: (value: Value) => void
      /** Called with a text that is not in the list, where any text is a value. */
      readonly onUseText?: (text: string) => void
      /** `by length` shows the search field for 8 entries and more. */
      readonly search?: 'shown' | 'by length'
    },
): JSX.Element {
  const isSearched = (): boolean =>
    props.search !== 'by length' || props.onSearch !== undefined || props.options.length >= SEARCHED_FROM
  return (
    <LayerList
      {...props}
      mode="one"
      stays={false}
      search={isSearched() ? 'shown' : 'hidden'}
      selected={props.value === undefined ? [] : [props.value]}
      onChoose={(value) => props.onChange(value)}
    />
  )
}

/** A searchable list beside a button, to choose several values; it stays open until it is left. */
export function MultiCombobox<Value extends string>(
  props: LayerProps &
    ListProps<Value> & {
      readonly values: readonly Value[]
      readonly onChange: (values: readonly Value[]) => void
      readonly onUseText?: (text: string) => void
    },
): JSX.Element {
  const toggle = (value: Value): void => {
    const isChosen = props.values.includes(value)
    props.onChange(isChosen ? props.values.filter((other) => other !== value) : [...props.values, value])
  }
  return (
    <LayerList {...props} mode="many" stays={true} search="shown" selected={props.values} onChoose={toggle} />
  )
}

/** A labelled field that chooses one value from a list. */
export function Select<Value extends string>(
  props: FieldText &
    Pick<ListProps<Value>, 'onSearch' | 'isLoading'> & {
      readonly options: readonly Option<Value>[]
      readonly value: Value | undefined
      readonly onChange: (value: Value) => void
      /** Shown while nothing is chosen. */
      readonly placeholder?: string
      readonly isDisabled?: boolean
    },
): JSX.Element {
  const chosen = (): Option<Value> | undefined => props.options.find(({ value }) => value === props.value)
  return (
    <FieldBox {...props}>
      {(ids) => (
        <Combobox
          label={props.label}
          options={props.options}
          value={props.value}
          search="by length"
          onSearch={props.onSearch}
          isLoading={props.isLoading}
          onChange={(value) => props.onChange(value)}
          trigger={(attributes) => (
            <Button
              {...attributes}
              id={ids().id}
              class="ui-select"
              aria-invalid={ids().invalid}
              aria-describedby={ids().describedBy}
              aria-label={`${props.label}: ${chosen()?.label ?? props.placeholder ?? ''}`}
              isDisabled={props.isDisabled}
              icon={chosen()?.icon?.()}
            >
              <Show when={chosen()} fallback={<span class="ui-select-placeholder">{props.placeholder}</span>}>
                {(option) => <span class="ui-ellipsis">{option().label}</span>}
              </Show>
              <ChevronsUpDown />
            </Button>
          )}
        />
      )}
    </FieldBox>
  )
}

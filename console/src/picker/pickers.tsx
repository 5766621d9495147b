import './messages.ts'
import { createMemo, type JSX } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Popover, type TriggerAttributes } from '../ui/popover.tsx'
import type { Catalog } from './catalog.ts'
import type { Entry, EntryKind, EventEntry, PropertyEntry } from './entries.ts'
import { isProperty } from './entries.ts'
import { EntryPicker } from './entry-picker.tsx'
import { type FilterDraft, isSameProperty, type PropertyRef } from './filter-draft.ts'
import type { ValueType } from './value-types.ts'

/** The kinds of properties, in the order of their categories. */
const PROPERTY_KINDS: readonly PropertyEntry['kind'][] = [
  'property',
  'person',
  'page',
  'visitStart',
  'firstTouch',
]

const EVENT_KINDS: readonly EntryKind[] = ['event', 'goal']

interface PickerProps {
  readonly catalog: Catalog
  /** The accessible name of the layer. */
  readonly label: string
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

/** An event that was chosen; a goal brings its conditions. */
export interface EventChoice {
  /** Empty for all events. */
  readonly event: string
  readonly filters: readonly FilterDraft[]
}

/** A layer to choose an event or a goal. */
export function EventPicker(
  props: PickerProps & {
    /** The chosen event: empty for all events, undefined for none. */
    readonly event: string | undefined
    readonly onChoose: (choice: EventChoice) => void
    /** ⌘Enter: the choice is added, and the picker stays. */
    readonly onChooseAnother?: (choice: EventChoice) => void
  },
): JSX.Element {
  const entries = createMemo(() => eventEntries(props.catalog.entries()))
  const isSelected = (entry: Entry): boolean => entry.kind === 'event' && entry.event === props.event
  return (
    <PickerLayer {...props}>
      {(close) => (
        <EntryPicker
          catalog={props.catalog}
          label={props.label}
          entries={entries()}
          kinds={EVENT_KINDS}
          selected={isSelected}
          onChoose={(entry) => {
            close()
            if (!isProperty(entry)) props.onChoose(entry)
          }}
          onChooseAnother={
            props.onChooseAnother &&
            ((entry) => {
              if (!isProperty(entry)) props.onChooseAnother?.(entry)
            })
          }
          onClose={close}
        />
      )}
    </PickerLayer>
  )
}

/** "All events", then the events and goals of the catalog. */
function eventEntries(entries: readonly Entry[]): readonly Entry[] {
  const all: EventEntry = {
    kind: 'event',
    id: '',
    label: t('picker.allEvents'),
    description: t('picker.allEventsMeaning'),
    event: '',
    filters: [],
  }
  return [all, ...entries.filter((entry) => !isProperty(entry))]
}

/** The properties on offer. */
export interface PropertyScope {
  /** All kinds without it. */
  readonly kinds?: readonly PropertyEntry['kind'][] | undefined
  /** Only properties of this type. */
  readonly valueType?: ValueType | undefined
}

/** The properties of a scope. */
function propertiesIn(
  entries: readonly Entry[],
  { kinds = PROPERTY_KINDS, valueType }: PropertyScope,
): readonly PropertyEntry[] {
  return entries.filter(
    (entry): entry is PropertyEntry =>
      isProperty(entry) &&
      kinds.includes(entry.kind) &&
      (valueType === undefined || entry.valueType === valueType),
  )
}

/** A layer to choose a property. */
export function PropertyPicker(
  props: PickerProps &
    PropertyScope & {
      readonly property: PropertyRef | undefined
      readonly onChoose: (property: PropertyRef) => void
      readonly onChooseAnother?: (property: PropertyRef) => void
    },
): JSX.Element {
  return (
    <PickerLayer {...props}>
      {(close) => (
        <PropertyList
          {...props}
          onChoose={(property) => {
            close()
            props.onChoose(property)
          }}
          onClose={close}
        />
      )}
    </PickerLayer>
  )
}

/** The content of a property picker, for a layer with further steps. */
export function PropertyList(
  props: PropertyScope & {
    readonly catalog: Catalog
    readonly label: string
    readonly property: PropertyRef | undefined
    readonly onChoose: (property: PropertyRef) => void
    readonly onChooseAnother?: ((property: PropertyRef) => void) | undefined
    readonly onClose: () => void
  },
): JSX.Element {
  const entries = createMemo(() => propertiesIn(props.catalog.entries(), props))
  const isSelected = (entry: Entry): boolean =>
    isProperty(entry) && props.property !== undefined && isSameProperty(entry, props.property)
  const refOf = ({ property, source }: PropertyRef): PropertyRef => ({ property, source })
  return (
    <EntryPicker
      catalog={props.catalog}
      label={props.label}
      entries={entries()}
      kinds={props.kinds ?? PROPERTY_KINDS}
      selected={isSelected}
      onChoose={(entry) => {
        if (isProperty(entry)) props.onChoose(refOf(entry))
      }}
      onChooseAnother={
        props.onChooseAnother &&
        ((entry) => {
          if (isProperty(entry)) props.onChooseAnother?.(refOf(entry))
        })
      }
      onClose={props.onClose}
    />
  )
}

function PickerLayer(
  props: PickerProps & { readonly children: (close: () => void) => JSX.Element },
): JSX.Element {
  return (
    <Popover
      label={props.label}
      scroll="inside"
      class="entry-layer"
      trigger={props.trigger}
      {...(props.isOpen !== undefined && { isOpen: props.isOpen })}
      onOpenChange={(isOpen) => props.onOpenChange?.(isOpen)}
    >
      {props.children}
    </Popover>
  )
}

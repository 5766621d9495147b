import ShoppingBag from 'lucide-solid/icons/shopping-bag'
import Split from 'lucide-solid/icons/split'
import UserPlus from 'lucide-solid/icons/user-plus'
import { createSignal, type JSX } from 'solid-js'
import { AddChip, ChipPart, FilterChip, SelectChip } from '../ui/chip.tsx'
import { Combobox, MultiCombobox, Select } from '../ui/combobox.tsx'
import { Flag } from '../ui/flag.tsx'
import { Checkbox, Input, SearchInput, Switch, TextArea } from '../ui/input.tsx'
import { ListPicker, type Option } from '../ui/list-picker.tsx'
import { Example } from './example.tsx'

const COUNTRIES: readonly Option[] = [
  { value: 'DE', label: 'Germany', count: 15_208, icon: () => <Flag country="DE" /> },
  { value: 'GE', label: 'Georgia', count: 212, icon: () => <Flag country="GE" /> },
  { value: 'DZ', label: 'Algeria', count: 96, icon: () => <Flag country="DZ" /> },
  { value: 'XX', label: 'Unknown country', icon: () => <Flag country="??" /> },
]

const EVENTS: readonly Option[] = [
  { value: 'page_view', label: 'page_view', count: 90_312 },
  { value: 'signup', label: 'signup', count: 5444 },
  {
    value: 'purchase',
    label: 'purchase',
    description: 'A paid order. One event for each order.',
    count: 4612,
  },
  { value: 'purchase_refunded', label: 'purchase_refunded', count: 188 },
  { value: 'gift_purchase', label: 'gift_purchase', count: 61 },
  { value: 'search', label: 'search', count: 2201 },
  { value: 'add_to_cart', label: 'add_to_cart', count: 9120 },
  { value: 'checkout_started', label: 'checkout_started', count: 7001, isDisabled: true },
]

const MEASURES: readonly Option[] = [
  { value: 'total', label: 'Total events' },
  { value: 'people', label: 'Unique people' },
  { value: 'sessions', label: 'Unique sessions' },
]

/** Fields, checkboxes and switches. */
export function Inputs(): JSX.Element {
  const [isOn, setOn] = createSignal(true)
  const [isChecked, setChecked] = createSignal(true)
  return (
    <Example title="Inputs">
      <div class="gallery-stack">
        <Input label="Name" value="Pricing to purchase" />
        <Input
          label="Host name"
          value="stats.oakline"
          problem="Enter a full host name, for example stats.oakline.example"
        />
        <Input label="Project" value="" placeholder="Oakline Store" hint="People see it in the side bar." />
        <Input label="Zone" value="Europe/Berlin" disabled />
        <SearchInput label="Search people" value="" placeholder="Name, email or ID" onInput={() => {}} />
        <TextArea label="Description" value="" placeholder="What counts as a purchase" rows={2} />
        <div class="gallery-row" data-gap="wide">
          <Checkbox label="Page views" isChecked={isChecked()} onChange={setChecked} />
          <Checkbox label="Outbound links" isChecked={false} onChange={() => {}} />
          <Checkbox label="Some" isChecked={false} isIndeterminate={true} onChange={() => {}} />
          <Checkbox label="Disabled" isChecked={true} isDisabled={true} onChange={() => {}} />
        </div>
        <div class="gallery-row" data-gap="wide">
          <Switch label="On" isChecked={isOn()} onChange={setOn} />
          <Switch label="Off" isChecked={!isOn()} onChange={(next) => setOn(!next)} />
        </div>
      </div>
    </Example>
  )
}

/** Lists of values, open and behind their buttons. */
export function Lists(): JSX.Element {
  const [countries, setCountries] = createSignal<readonly string[]>(['DE'])
  const [measure, setMeasure] = createSignal('people')
  const toggle = (value: string): void => {
    const chosen = countries()
    setCountries(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
  }
  return (
    <Example title="Combobox, several values">
      <div class="gallery-stack">
        <div class="gallery-panel">
          <ListPicker
            label="Country"
            options={COUNTRIES}
            selected={countries()}
            mode="many"
            search="shown"
            onChoose={toggle}
            onUseText={toggle}
          />
        </div>
        <Select label="Measure" options={MEASURES} value={measure()} onChange={setMeasure} />
        <Select
          label="Goal"
          options={[]}
          value={undefined}
          placeholder="Choose a goal"
          problem="Choose a goal."
          onChange={() => {}}
        />
      </div>
    </Example>
  )
}

/** Filters, query chips and what they open. */
export function Chips(): JSX.Element {
  const [event, setEvent] = createSignal('signup')
  const [measure, setMeasure] = createSignal('people')
  const [countries, setCountries] = createSignal<readonly string[]>(['DE', 'GE', 'DZ'])
  return (
    <Example title="Filter chips and query chips">
      <div class="ui-chip-row">
        <FilterChip name="Country is any of Germany, Georgia and 1 more" onRemove={() => {}}>
          <ChipPart part="property">Country</ChipPart>
          <ChipPart part="operator">is any of</ChipPart>
          <MultiCombobox
            label="Countries"
            options={COUNTRIES}
            values={countries()}
            onChange={setCountries}
            trigger={(attributes) => (
              <ChipPart {...attributes} part="value">
                Germany, Georgia +1
              </ChipPart>
            )}
          />
        </FilterChip>
        <FilterChip name="Path contains /chairs" state="plain" onRemove={() => {}}>
          <ChipPart part="property">Path</ChipPart>
          <ChipPart part="operator">contains</ChipPart>
          <ChipPart part="value">/chairs</ChipPart>
        </FilterChip>
        <AddChip>Filter</AddChip>
        <Combobox
          label="Event"
          options={EVENTS}
          value={event()}
          onChange={setEvent}
          trigger={(attributes) => (
            <SelectChip {...attributes} icon={<UserPlus />}>
              {event()}
            </SelectChip>
          )}
        />
        <Combobox
          label="Measure"
          options={MEASURES}
          value={measure()}
          search="by length"
          onChange={setMeasure}
          trigger={(attributes) => (
            <SelectChip {...attributes}>
              {MEASURES.find(({ value }) => value === measure())?.label}
            </SelectChip>
          )}
        />
        <FilterChip name="Break down by channel" onRemove={() => {}}>
          <ChipPart icon={<Split />}>Channel</ChipPart>
        </FilterChip>
        <FilterChip name="price, no longer sent" state="error" onRemove={() => {}}>
          <ChipPart icon={<ShoppingBag />}>price</ChipPart>
        </FilterChip>
        <SelectChip disabled>Disabled</SelectChip>
      </div>
    </Example>
  )
}

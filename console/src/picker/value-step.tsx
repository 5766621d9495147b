import './messages.ts'
import { createMemo, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Flag } from '../ui/flag.tsx'
import { Input } from '../ui/input.tsx'
import { ListPicker, type Option } from '../ui/list-picker.tsx'
import type { Catalog } from './catalog.ts'
import { type FilterDraft, OPERATORS } from './filter-draft.ts'
import { isCountry, labelOfProperty, labelOfValue } from './names.ts'
import { parseNumber, takesNumbers } from './value-types.ts'

/** Values that the service lists at once. */
const VALUES_LISTED = 100

/** The pause in typing after which the values are fetched. */
const SEARCH_DELAY_MS = 200

interface ValueStepProps {
  readonly catalog: Catalog
  readonly filter: FilterDraft
  readonly event: string
  readonly onChange: (filter: FilterDraft) => void
  readonly onClose: () => void
}

/** The values of a condition: typed numbers or a part of a text, else a list of those that occur. */
export function ValueStep(props: ValueStepProps): JSX.Element {
  const type = props.catalog.typeOf(props.filter)
  const { operator } = props.filter
  const finish = (values: readonly string[]): void => {
    props.onChange({ ...props.filter, values })
    props.onClose()
  }
  return (
    <Switch fallback={<ListedValues {...props} onFinish={finish} />}>
      <Match when={takesNumbers(operator, type)}>
        <TypedNumbers filter={props.filter} onFinish={finish} />
      </Match>
      <Match when={/_CONTAINS$/.test(operator)}>
        <TypedText filter={props.filter} onFinish={finish} />
      </Match>
    </Switch>
  )
}

interface StepProps {
  readonly filter: FilterDraft
  readonly onFinish: (values: readonly string[]) => void
}

function labelOf(filter: FilterDraft): string {
  return t('picker.valueOf', { property: labelOfProperty(filter) })
}

function TypedText(props: StepProps): JSX.Element {
  const [text, setText] = createSignal(props.filter.values[0] ?? '')
  const [problem, setProblem] = createSignal<string>()
  const submit = (): void => {
    if (text().trim() === '') setProblem(t('picker.textMissing'))
    else props.onFinish([text()])
  }
  return (
    <ValueForm onSubmit={submit}>
      <Input
        label={labelOf(props.filter)}
        value={text()}
        problem={problem()}
        onInput={setText}
        data-autofocus=""
      />
    </ValueForm>
  )
}

function TypedNumbers(props: StepProps): JSX.Element {
  const [low, setLow] = createSignal(props.filter.values[0] ?? '')
  const [high, setHigh] = createSignal(props.filter.values[1] ?? '')
  const [problem, setProblem] = createSignal<string>()
  const isRange = OPERATORS[props.filter.operator].takes === 'two'
  const submit = (): void => {
    const numbers = (isRange ? [low(), high()] : [low()]).map(parseNumber)
    const known = numbers.filter((number) => number !== undefined)
    if (known.length < numbers.length) setProblem(t('picker.numberMissing'))
    else if (isRange && Number(known[0]) > Number(known[1])) setProblem(t('picker.rangeReversed'))
    else props.onFinish(known)
  }
  return (
    <ValueForm onSubmit={submit}>
      <Input
        label={isRange ? t('picker.from') : labelOf(props.filter)}
        inputmode="decimal"
        value={low()}
        problem={problem()}
        onInput={setLow}
        data-autofocus=""
      />
      <Show when={isRange}>
        <Input label={t('picker.to')} inputmode="decimal" value={high()} onInput={setHigh} />
      </Show>
    </ValueForm>
  )
}

function ValueForm(props: { readonly onSubmit: () => void; readonly children: JSX.Element }): JSX.Element {
  return (
    <form
      class="value-form"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      {props.children}
      <Button type="submit" tone="primary" size="small">
        {t('common.apply')}
      </Button>
    </form>
  )
}

/** The values that occur, most frequent first, and any other text. */
function ListedValues(
  props: ValueStepProps & { readonly onFinish: (values: readonly string[]) => void },
): JSX.Element {
  const [search, setSearch] = createSignal('')
  const list = props.catalog.createValues(() => ({
    property: props.filter.property,
    source: props.filter.source,
    event: props.event,
    search: search(),
  }))
  const isMany = OPERATORS[props.filter.operator].takes === 'many'
  // Chosen values that the list lacks can be taken back too; their order stays while the list is open.
  const chosenFirst = props.filter.values
  const options = createMemo(() => {
    const known = list.values()
    const listed = new Set(known.map(({ value }) => value))
    const others = chosenFirst.filter((value) => !listed.has(value))
    const added = props.filter.values.filter((value) => !listed.has(value) && !others.includes(value))
    const unlisted = [...added, ...others].map((value) => ({ value, count: undefined }))
    return [...unlisted, ...known].map(({ value, count }) => optionOf(props.filter, { value, count }))
  })
  const toggle = (value: string): void => {
    const { values } = props.filter
    const isChosen = values.includes(value)
    props.onChange({
      ...props.filter,
      values: isChosen ? values.filter((one) => one !== value) : [...values, value],
    })
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  // A shorter list is complete. Names of countries are searched here: the service has their codes.
  const isSearched = (): boolean =>
    !isCountry(props.filter) && (search() !== '' || list.values().length >= VALUES_LISTED)
  const searchLater = (text: string): void => {
    clearTimeout(timer)
    if (isSearched()) timer = setTimeout(() => setSearch(text.trim()), SEARCH_DELAY_MS)
  }
  const choose = (value: string): void => (isMany ? toggle(value) : props.onFinish([value]))
  return (
    <ListPicker
      label={labelOf(props.filter)}
      mode={isMany ? 'many' : 'one'}
      search="shown"
      isLoading={list.isLoading()}
      selected={props.filter.values}
      options={options()}
      emptyText={(typed) => (typed === '' ? t('picker.noValues') : t('ui.noMatch', { text: typed }))}
      onChoose={choose}
      onSearch={searchLater}
      onUseText={choose}
    />
  )
}

function optionOf(
  filter: FilterDraft,
  { value, count }: { readonly value: string; readonly count: number | undefined },
): Option {
  return {
    value,
    label: labelOfValue(filter, value),
    ...(count !== undefined && { count }),
    ...(isCountry(filter) && { icon: () => <Flag country={value} /> }),
  }
}

import { type JSX, splitProps } from 'solid-js'
import { formatSeconds } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { Select } from '../../ui/combobox.tsx'
import { PanelSetting } from './panel-section.tsx'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** One of a few values of an option. */
export function Choice<Value extends string>(props: {
  readonly label: string
  readonly value: Value
  readonly values: readonly Value[]
  readonly names: Readonly<Record<Value, NameKey>>
  readonly onChange: (value: Value) => void
}): JSX.Element {
  const nameOf = (value: Value): NameKey => props.names[value]
  return (
    <PanelSetting label={props.label}>
      <Select
        label={props.label}
        labelDisplay="hidden"
        value={props.value}
        options={props.values.map((value) => ({ value, label: t(nameOf(value)) }))}
        onChange={props.onChange}
      />
    </PanelSetting>
  )
}

/** One of a few numbers, each with a name. */
export function NumberSelect(props: {
  readonly label: string
  readonly value: number
  readonly values: readonly number[]
  readonly nameOf: (value: number) => string
  readonly onChange: (value: number) => void
}): JSX.Element {
  return (
    <Select
      label={props.label}
      labelDisplay="hidden"
      value={String(props.value)}
      options={props.values.map((value) => ({ value: String(value), label: props.nameOf(value) }))}
      onChange={(value) => props.onChange(Number(value))}
    />
  )
}

/** A step of a funnel, by its number. */
export function StepSelect(props: {
  readonly label: string
  readonly step: number
  readonly steps: readonly number[]
  readonly onChange: (step: number) => void
}): JSX.Element {
  return (
    <NumberSelect
      label={props.label}
      value={props.step}
      values={props.steps}
      nameOf={(step) => t('insights.stepName', { number: String(step) })}
      onChange={props.onChange}
    />
  )
}

/** A longest time in seconds, 0 for none, as a setting; times that are not offered are listed where they are set. */
export function WindowSetting(props: {
  readonly label: string
  readonly seconds: number
  readonly offered: readonly number[]
  readonly onChange: (seconds: number) => void
}): JSX.Element {
  const [own] = splitProps(props, ['label', 'onChange'])
  const windows = (): readonly number[] =>
    [...new Set([...props.offered, 0, props.seconds])].sort((a, b) => (a || Infinity) - (b || Infinity))
  return (
    <PanelSetting label={props.label}>
      <NumberSelect {...own} value={props.seconds} values={windows()} nameOf={nameWindow} />
    </PanelSetting>
  )
}

function nameWindow(seconds: number): string {
  if (seconds === 0) return t('insights.noLimit')
  if (seconds % DAY === 0) return t('insights.days', { count: seconds / DAY })
  if (seconds % HOUR === 0) return t('insights.hours', { count: seconds / HOUR })
  return seconds % MINUTE === 0 ? t('insights.minutes', { count: seconds / MINUTE }) : formatSeconds(seconds)
}

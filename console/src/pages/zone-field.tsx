import { type JSX, splitProps } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Select } from '../ui/combobox.tsx'

/** UTC is missing in the list of browsers. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** The time zone of the browser, for a new project. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Chooses a time zone by its IANA name. */
export function ZoneField(props: {
  readonly value: string
  readonly problem: string | undefined
  readonly hint?: string
  /** Where a zone is optional, the label of the empty value. */
  readonly emptyLabel?: string
  readonly onChange: (zone: string) => void
}): JSX.Element {
  const [own, rest] = splitProps(props, ['value', 'emptyLabel'])
  const offered = (): readonly string[] => (own.emptyLabel === undefined ? ZONES : ['', ...ZONES])
  /** A zone that another browser has named stays a choice. */
  const zones = (): readonly string[] =>
    offered().includes(own.value) ? offered() : [own.value, ...offered()]
  const labelOf = (zone: string): string => (zone === '' ? (own.emptyLabel ?? '') : zone.replaceAll('_', ' '))
  return (
    <Select
      {...rest}
      label={t('settings.timeZone')}
      value={own.value}
      options={zones().map((value) => ({ value, label: labelOf(value) }))}
    />
  )
}

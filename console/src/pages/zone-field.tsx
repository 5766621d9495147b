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
  readonly onChange: (zone: string) => void
}): JSX.Element {
  const [value, rest] = splitProps(props, ['value'])
  /** A zone that another browser has named stays a choice. */
  const zones = (): readonly string[] => (ZONES.includes(value.value) ? ZONES : [value.value, ...ZONES])
  return (
    <Select
      {...rest}
      label={t('settings.timeZone')}
      value={value.value}
      options={zones().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
    />
  )
}

import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { ApiKey } from '@contract/dashboard/projects/v1/project_pb.js'
import type { JSX } from 'solid-js'
import { formatDay } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Select } from '../../ui/combobox.tsx'
import { TextArea } from '../../ui/input.tsx'
import type { FindProblem } from './form-card.tsx'

const DAY_MS = 24 * 3_600_000

/** Days until an end, as choices. */
const DAYS = ['7', '30', '90', '365'] as const

/** A choice of an end: a number of days from now, none, or the one that there is. */
export type Expiry = (typeof DAYS)[number] | 'never' | 'keep'

/** The end that a choice means. */
export function expireTimeOf(expiry: Expiry, before?: ApiKey['expireTime']) {
  if (expiry === 'never') return undefined
  if (expiry === 'keep') return before
  return timestampFromMs(Date.now() + Number(expiry) * DAY_MS)
}

/** Chooses when a key or a token stops working. */
export function ExpiryField(props: {
  readonly label: string
  readonly value: Expiry
  readonly onChange: (value: Expiry) => void
  /** The end that there is, which may be kept, and the time zone in which it is shown. */
  readonly before?: { readonly time: ApiKey['expireTime']; readonly timeZone: string }
  readonly problem?: string | undefined
  /** Whether it must have an end. */
  readonly isRequired?: boolean
}): JSX.Element {
  const kept = () => {
    const { time, timeZone } = props.before ?? {}
    if (!time || timeZone === undefined) return []
    const day = formatDay(timestampMs(time), timeZone)
    return [{ value: 'keep' as const, label: t('settings.keyKeep', { day }) }]
  }
  return (
    <Select<Expiry>
      label={props.label}
      problem={props.problem}
      options={[
        ...kept(),
        ...(props.isRequired ? [] : [{ value: 'never' as const, label: t('settings.keyNever') }]),
        ...DAYS.map((value) => ({ value, label: t('settings.keyInDays', { count: Number(value) }) })),
      ]}
      value={props.value}
      onChange={props.onChange}
    />
  )
}

/** The addresses in a text, one per line. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The problem of one of the addresses in a text. */
export function problemOfAddresses(problem: FindProblem, text: string): string | undefined {
  return addressesIn(text)
    .map((_, index) => problem(`allowedAddresses[${index}]`))
    .find((found) => found !== undefined)
}

/** The addresses from which a key works. */
export function AddressesField(props: {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly problem?: string | undefined
}): JSX.Element {
  return (
    <TextArea
      label={t('settings.keyAddressesField')}
      hint={t('settings.keyAddressesHint')}
      problem={props.problem}
      rows={2}
      placeholder="203.0.113.7"
      value={props.value}
      onInput={props.onInput}
    />
  )
}

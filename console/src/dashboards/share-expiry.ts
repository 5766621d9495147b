import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { formatMinute } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import type { Option } from '../ui/list-picker.tsx'

const DAY_MS = 86_400_000

const DAYS = [1, 7, 30, 90] as const

/** A choice in the list of expiry times: `set` is the current one, a number is so many days from now. */
export type ExpiryChoice = 'never' | 'set' | `${(typeof DAYS)[number]}`

/** Whether a link has expired. */
export function isExpired(expireTime: Timestamp | undefined, nowMs: number): boolean {
  return expireTime !== undefined && timestampMs(expireTime) <= nowMs
}

/** The expiry times to choose from; the current one is the first. */
export function expiryOptions(
  expireTime: Timestamp | undefined,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): readonly Option<ExpiryChoice>[] {
  const choices: readonly Option<ExpiryChoice>[] = [
    { value: 'never', label: t('dashboards.expiresNever') },
    ...DAYS.map((count) => ({ value: `${count}` as const, label: t('dashboards.expiresIn', { count }) })),
  ]
  if (!expireTime) return choices
  const time = formatMinute(timestampMs(expireTime), timeZone)
  const key = isExpired(expireTime, nowMs) ? 'dashboards.expiredAt' : 'dashboards.expiresAt'
  return [{ value: 'set', label: t(key, { time }) }, ...choices]
}

/** The expiry time of a choice: the epoch stands for none, `undefined` keeps the current one. */
export function expiryOf(choice: ExpiryChoice, nowMs: number): Timestamp | undefined {
  if (choice === 'set') return undefined
  return timestampFromMs(choice === 'never' ? 0 : nowMs + Number(choice) * DAY_MS)
}

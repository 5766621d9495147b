import { formatCountry } from '../format/values.ts'
import { type NameKey, t } from '../i18n/translate.ts'
import { type FilterDraft, OPERATORS, type PropertyRef } from './filter-draft.ts'
import { findForm, type ValueType } from './value-types.ts'

/** Names of the properties of page and visit; others are shown as sent. */
const PAGE_PROPERTY_NAMES: ReadonlyMap<string, NameKey> = new Map([
  ['$url', 'picker.nameUrl'],
  ['$pathname', 'picker.namePath'],
  ['$hostname', 'picker.nameHostname'],
  ['$title', 'picker.nameTitle'],
  ['$referrer', 'picker.nameReferrerUrl'],
  ['$referrerDomain', 'picker.nameReferrer'],
  ['$channel', 'picker.nameChannel'],
  ['$utmSource', 'picker.nameUtmSource'],
  ['$utmMedium', 'picker.nameUtmMedium'],
  ['$utmCampaign', 'picker.nameUtmCampaign'],
  ['$utmTerm', 'picker.nameUtmTerm'],
  ['$utmContent', 'picker.nameUtmContent'],
  ['$browser', 'picker.nameBrowser'],
  ['$browserVersion', 'picker.nameBrowserVersion'],
  ['$os', 'picker.nameOs'],
  ['$osVersion', 'picker.nameOsVersion'],
  ['$device', 'picker.nameDevice'],
  ['$deviceType', 'picker.nameDeviceType'],
  ['$country', 'picker.nameCountry'],
  ['$region', 'picker.nameRegion'],
  ['$city', 'picker.nameCity'],
  ['$continent', 'picker.nameContinent'],
  ['$language', 'picker.nameLanguage'],
  ['$bot', 'picker.nameBot'],
])

/** The name of a property: a plain one for known properties of page and visit, else as sent. */
export function labelOfProperty({ property, source }: PropertyRef): string {
  const known = source === 'PROPERTY_SOURCE_AUTO' ? PAGE_PROPERTY_NAMES.get(property) : undefined
  return known === undefined ? property : t(known)
}

/** The name of an event: as sent, or "All events". */
export function labelOfEvent(event: string): string {
  return event === '' ? t('picker.allEvents') : event
}

/** Whether the values of a property are country codes. */
export function isCountry({ property, source }: PropertyRef): boolean {
  return property === '$country' && source === 'PROPERTY_SOURCE_AUTO'
}

/** A value of a property: the name of a country for its code, else as sent. */
export function labelOfValue(property: PropertyRef, value: string): string {
  return isCountry(property) ? formatCountry(value) : value
}

/** Values that a chip names; others are counted. */
const VALUES_NAMED_MAX = 2

/** The parts of a condition in words; the value is empty where the operator includes or needs none. */
export interface ConditionWords {
  readonly property: string
  readonly operator: string
  readonly value: string
}

/** A condition in words: "Country", "is any of", "Germany, Austria +1". */
export function conditionWords(filter: FilterDraft, type: ValueType): ConditionWords {
  const form = findForm(filter, type)
  const value = form.values === undefined ? valueWords(filter) : ''
  return { property: labelOfProperty(filter), operator: t(form.name), value }
}

function valueWords({ values, operator, ...property }: FilterDraft): string {
  const { takes } = OPERATORS[operator]
  const labels = values.map((value) => labelOfValue(property, value))
  if (takes === 'none') return ''
  if (takes === 'two') return t('picker.range', { low: labels[0] ?? '…', high: labels[1] ?? '…' })
  if (labels.length === 0) return '…'
  const named = labels.slice(0, VALUES_NAMED_MAX).join(', ')
  return labels.length > VALUES_NAMED_MAX ? `${named} +${labels.length - VALUES_NAMED_MAX}` : named
}

/** A condition as one sentence. */
export function conditionSentence(filter: FilterDraft, type: ValueType): string {
  const { property, operator, value } = conditionWords(filter, type)
  return [property, operator, value].filter((part) => part !== '').join(' ')
}

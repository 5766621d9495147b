import './messages.ts'
import { formatCountry } from '../format/values.ts'
import { currentLanguage } from '../i18n/language.ts'
import { type NameKey, t } from '../i18n/translate.ts'
import { type FilterDraft, OPERATORS, type PropertyRef, type Source } from './filter-draft.ts'
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
  if (source === 'PROPERTY_SOURCE_CUSTOM' || source === 'PROPERTY_SOURCE_PROFILE') return property
  const known = PAGE_PROPERTY_NAMES.get(property)
  const name = known === undefined ? property : t(known)
  if (source === 'PROPERTY_SOURCE_SESSION_ENTRY') return t('picker.ofVisitStart', { name })
  if (source === 'PROPERTY_SOURCE_FIRST_TOUCH')
    return t('picker.ofFirstTouch', { name: known === undefined ? name : insidePhrase(name) })
  return name
}

/** A name behind other words: "First-touch channel". Only the English phrase begins with them; "UTM source" stays. */
function insidePhrase(name: string): string {
  return currentLanguage === 'en' ? name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) : name
}

/** The meaning of a source of properties; absent for a source that its category explains. */
export function describeSource(source: Source): string | undefined {
  if (source === 'PROPERTY_SOURCE_SESSION_ENTRY') return t('picker.visitStartMeaning')
  return source === 'PROPERTY_SOURCE_FIRST_TOUCH' ? t('picker.firstTouchMeaning') : undefined
}

/** The name of an event: as sent, or "All events". */
export function labelOfEvent(event: string): string {
  return event === '' ? t('picker.allEvents') : event
}

/** Whether the values of a property are country codes. */
export function isCountry({ property, source }: PropertyRef): boolean {
  return property === '$country' && source !== 'PROPERTY_SOURCE_PROFILE'
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

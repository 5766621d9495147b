import { Dimension } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { currentLocale } from '../../i18n/language.ts'
import { type MessageKey, t } from '../../i18n/translate.ts'

/** A dimension of visits that the page filters by or has a panel for. */
interface DimensionEntry {
  readonly number: Dimension
  /** The message with its name. */
  readonly name: MessageKey & `overview.dimension${string}`
  /** The event property that an insight breaks down by; absent where none has the same meaning. */
  readonly property?: string
}

/** The dimensions by their names in addresses. */
export const DIMENSIONS = {
  page: { number: Dimension.PAGE, name: 'overview.dimensionPage', property: '$pathname' },
  entry: { number: Dimension.ENTRY_PAGE, name: 'overview.dimensionEntry' },
  exit: { number: Dimension.EXIT_PAGE, name: 'overview.dimensionExit' },
  hostname: { number: Dimension.HOSTNAME, name: 'overview.dimensionHostname', property: '$hostname' },
  channel: { number: Dimension.CHANNEL, name: 'overview.dimensionChannel', property: '$channel' },
  referrer: { number: Dimension.REFERRER, name: 'overview.dimensionReferrer', property: '$referrerDomain' },
  source: { number: Dimension.UTM_SOURCE, name: 'overview.dimensionSource', property: '$utmSource' },
  medium: { number: Dimension.UTM_MEDIUM, name: 'overview.dimensionMedium', property: '$utmMedium' },
  campaign: { number: Dimension.UTM_CAMPAIGN, name: 'overview.dimensionCampaign', property: '$utmCampaign' },
  country: { number: Dimension.COUNTRY, name: 'overview.dimensionCountry', property: '$country' },
  region: { number: Dimension.REGION, name: 'overview.dimensionRegion', property: '$region' },
  city: { number: Dimension.CITY, name: 'overview.dimensionCity', property: '$city' },
  browser: { number: Dimension.BROWSER, name: 'overview.dimensionBrowser', property: '$browser' },
  os: { number: Dimension.OS, name: 'overview.dimensionOs', property: '$os' },
  device: { number: Dimension.DEVICE_TYPE, name: 'overview.dimensionDevice', property: '$deviceType' },
  language: { number: Dimension.LANGUAGE, name: 'overview.dimensionLanguage', property: '$language' },
  event: { number: Dimension.EVENT_KIND, name: 'overview.dimensionEvent' },
} as const satisfies Readonly<Record<string, DimensionEntry>>

/** The name of a dimension, as in addresses. */
export type DimensionName = keyof typeof DIMENSIONS

/** The names of the dimensions, in the order of lists. */
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as DimensionName[]

/** Whether a text names a dimension. */
export function isDimension(text: string): text is DimensionName {
  return Object.hasOwn(DIMENSIONS, text)
}

/** The event property that an insight breaks a dimension down by. */
export function propertyOf(dimension: DimensionName): string | undefined {
  const entry: DimensionEntry = DIMENSIONS[dimension]
  return entry.property
}

const regions = new Intl.DisplayNames(currentLocale, { type: 'region' })
const languages = new Intl.DisplayNames(currentLocale, { type: 'language' })

/** The label of a value: countries and languages by name, the missing one in words, others as they are. */
export function labelOfValue(dimension: DimensionName, value: string): string {
  if (value === '') return t('common.notSet')
  if (dimension === 'country' && /^[A-Z]{2}$/.test(value)) return regions.of(value) ?? value
  if (dimension === 'language' && /^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/.test(value))
    return languages.of(value) ?? value
  return value
}

/**
 * Auto properties that have a column of their own, because most questions ask for them: property name → column of
 * `events`. A text value is kept in the column; an empty text and a value of any other type stay in the maps, so that
 * every value comes back as it was sent and an empty column always means "no text".
 */
export const PROMOTED_PROPERTIES = {
  $url: 'url',
  $pathname: 'pathname',
  $hostname: 'hostname',
  $title: 'title',
  $referrer: 'referrer',
  $referrerDomain: 'referrer_domain',
  $channel: 'channel',
  $utmSource: 'utm_source',
  $utmMedium: 'utm_medium',
  $utmCampaign: 'utm_campaign',
  $utmTerm: 'utm_term',
  $utmContent: 'utm_content',
  $browser: 'browser',
  $browserVersion: 'browser_version',
  $os: 'os',
  $osVersion: 'os_version',
  $device: 'device',
  $deviceType: 'device_type',
  $country: 'country',
  $region: 'region',
  $city: 'city',
  $continent: 'continent',
  $language: 'language',
} as const satisfies Record<`$${string}`, string>

/** Name of a promoted property. */
export type PromotedProperty = keyof typeof PROMOTED_PROPERTIES

/** The promoted properties with their columns, in the order of the columns. */
export const PROMOTED_ENTRIES: readonly (readonly [PromotedProperty, string])[] = Object.entries(
  PROMOTED_PROPERTIES,
) as [PromotedProperty, string][]

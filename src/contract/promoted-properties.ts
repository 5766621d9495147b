/**
 * Auto properties with a separate column, because most queries use them: property name → column of
 * `events`. A text is kept in the column only, and an empty one in the map of texts; a value of another type is kept in the
 * map of its type and as text in the column. So every value comes back as it was sent, the column is the property's
 * text, and an empty column means missing or empty.
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

/** The index of each promoted property in {@link PROMOTED_ENTRIES}. */
export const PROMOTED_INDEX = Object.fromEntries(
  PROMOTED_ENTRIES.map(([property], index) => [property, index]),
) as Readonly<Record<PromotedProperty, number>>

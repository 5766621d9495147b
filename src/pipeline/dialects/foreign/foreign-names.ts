/**
 * Names of other services and their equivalents here. Data only: docs/import.md prints the same tables.
 */

/** Products whose exports can be imported. */
export type ForeignSource = 'posthog' | 'mixpanel' | 'amplitude'

/** The names of one source. */
export interface ForeignNames {
  /** Name of an event → kind. */
  readonly kinds: Readonly<Record<string, string>>
  /** Name of a property → auto property. */
  readonly properties: Readonly<Record<string, `$${string}`>>
  /** Properties that are never stored: IP addresses, user agents, ids that are fields here, and internal state of the source. */
  readonly omitted: ReadonlySet<string>
}

const UTM = {
  utm_source: '$utmSource',
  utm_medium: '$utmMedium',
  utm_campaign: '$utmCampaign',
  utm_term: '$utmTerm',
  utm_content: '$utmContent',
} as const

/** Names of PostHog, Mixpanel and Amplitude. */
export const FOREIGN_NAMES = {
  posthog: {
    kinds: {
      $pageview: 'page_view',
      $screen: 'screen_view',
      $pageleave: 'page_leave',
      $autocapture: 'click',
      $rageclick: 'rage_click',
      $dead_click: 'dead_click',
      $exception: 'exception',
      $web_vitals: 'web_vitals',
      'Application Opened': 'app_open',
      'Application Installed': 'app_install',
      'Application Updated': 'app_update',
      'Application Backgrounded': 'app_backgrounded',
    },
    properties: {
      ...UTM,
      $current_url: '$url',
      $pathname: '$pathname',
      $host: '$hostname',
      title: '$title',
      $title: '$title',
      $referrer: '$referrer',
      $referring_domain: '$referrerDomain',
      $browser: '$browser',
      $browser_version: '$browserVersion',
      $browser_language: '$language',
      $os: '$os',
      $os_version: '$osVersion',
      $device: '$device',
      $device_type: '$deviceType',
      $geoip_country_code: '$country',
      $geoip_subdivision_1_name: '$region',
      $geoip_city_name: '$city',
      $geoip_continent_code: '$continent',
      $geoip_postal_code: '$postalCode',
      $geoip_latitude: '$latitude',
      $geoip_longitude: '$longitude',
      $geoip_time_zone: '$timezone',
    },
    omitted: new Set([
      '$ip',
      '$raw_user_agent',
      '$user_agent',
      '$session_id',
      '$window_id',
      '$device_id',
      '$user_id',
      '$insert_id',
      '$anon_distinct_id',
      '$is_identified',
      '$process_person_profile',
      '$set',
      '$set_once',
      '$unset',
      '$time',
      '$sent_at',
      'token',
      'distinct_id',
      'alias',
    ]),
  },
  mixpanel: {
    kinds: {
      $mp_web_page_view: 'page_view',
      $mp_click: 'click',
      $mp_rage_click: 'rage_click',
      $mp_dead_click: 'dead_click',
      $mp_scroll: 'scroll',
      $ae_first_open: 'app_install',
      $ae_updated: 'app_update',
      $ae_crashed: 'app_crashed',
    },
    properties: {
      ...UTM,
      $current_url: '$url',
      current_url_path: '$pathname',
      current_domain: '$hostname',
      current_page_title: '$title',
      $referrer: '$referrer',
      $referring_domain: '$referrerDomain',
      $browser: '$browser',
      $browser_version: '$browserVersion',
      $os: '$os',
      $os_version: '$osVersion',
      $model: '$device',
      $device: '$device',
      mp_country_code: '$country',
      $region: '$region',
      $city: '$city',
    },
    omitted: new Set([
      'time',
      'distinct_id',
      'ip',
      '$ip',
      '$insert_id',
      '$device_id',
      '$user_id',
      '$user_agent',
      '$distinct_id_before_identity',
      '$identified_id',
      '$anon_id',
      '$mp_api_endpoint',
      '$mp_api_timestamp_ms',
      'mp_processing_time_ms',
      '$mp_event_size',
      '$import',
      'token',
      'alias',
    ]),
  },
  amplitude: {
    kinds: {
      '[Amplitude] Page Viewed': 'page_view',
      '[Amplitude] Screen Viewed': 'screen_view',
      '[Amplitude] Element Clicked': 'click',
      '[Amplitude] Element Tapped': 'click',
      '[Amplitude] Rage Click': 'rage_click',
      '[Amplitude] Dead Click': 'dead_click',
      '[Amplitude] Form Started': 'form_start',
      '[Amplitude] Form Submitted': 'form_submit',
      '[Amplitude] File Downloaded': 'file_downloaded',
      '[Amplitude] Application Installed': 'app_install',
      '[Amplitude] Application Opened': 'app_open',
      '[Amplitude] Application Updated': 'app_update',
      '[Amplitude] Application Backgrounded': 'app_backgrounded',
      session_start: 'session_start',
      session_end: 'session_end',
    },
    properties: {
      ...UTM,
      referrer: '$referrer',
      referring_domain: '$referrerDomain',
      '[Amplitude] Page Location': '$url',
      '[Amplitude] Page Path': '$pathname',
      '[Amplitude] Page Domain': '$hostname',
      '[Amplitude] Page Title': '$title',
      os_name: '$os',
      os_version: '$osVersion',
      device_family: '$device',
      country: '$country',
      region: '$region',
      city: '$city',
      language: '$language',
      platform: '$platform',
      version_name: '$appVersion',
    },
    omitted: new Set(['ip_address', 'user_agent']),
  },
} as const satisfies Record<ForeignSource, ForeignNames>

/** Top-level fields of an Amplitude event that become properties. */
export const AMPLITUDE_FIELDS = [
  'os_name',
  'os_version',
  'device_family',
  'country',
  'region',
  'city',
  'language',
  'platform',
  'version_name',
] as const

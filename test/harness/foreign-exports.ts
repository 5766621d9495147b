/** Exports of other services as they write them, a record each. */

/** An anonymous visitor of a shop who signs up, as PostHog's batch export writes it. */
export const POSTHOG_EXPORT: readonly object[] = [
  {
    uuid: '018f3a5e-7c1a-7b7e-9d6e-0c8f2b1a0001',
    event: '$pageview',
    distinct_id: '018f3a5e-0000-7000-8000-00000000d0d0',
    timestamp: '2024-05-02T10:00:00.123000+00:00',
    created_at: '2024-05-02T10:00:01.000000+00:00',
    properties: {
      $current_url: 'https://shop.example/lamps?utm_source=newsletter',
      $host: 'shop.example',
      $pathname: '/lamps',
      $referrer: 'https://www.google.com/',
      $referring_domain: 'www.google.com',
      utm_source: 'newsletter',
      $browser: 'Firefox',
      $browser_version: 125,
      $os: 'Linux',
      $device_type: 'Desktop',
      $geoip_country_code: 'DE',
      $geoip_city_name: 'Hamburg',
      $geoip_latitude: 53.55,
      $ip: '203.0.113.7',
      $raw_user_agent: 'Mozilla/5.0',
      $device_id: '018f3a5e-0000-7000-8000-00000000d0d0',
      $session_id: '018f3a5e-1111-7000-8000-0000000000aa',
      $is_identified: false,
      $lib: 'web',
      plan: null,
      tags: ['a', 'b'],
      $elements_chain: 'x'.repeat(2000),
    },
  },
  {
    uuid: '018f3a5e-7c1a-7b7e-9d6e-0c8f2b1a0002',
    event: '$identify',
    distinct_id: 'user-7',
    timestamp: '2024-05-02T10:01:00Z',
    properties: {
      $anon_distinct_id: '018f3a5e-0000-7000-8000-00000000d0d0',
      $set: { email: 'ada@example.org', plan: 'free' },
      $set_once: { first_page: '/lamps', plan: 'trial' },
    },
  },
  {
    uuid: '018f3a5e-7c1a-7b7e-9d6e-0c8f2b1a0003',
    event: 'Order Completed!',
    distinct_id: 'user-7',
    timestamp: '2024-05-02 10:05:00.5+02:00',
    properties: { total: 49.9, items: 2, gift: false, $is_identified: true },
  },
  { uuid: '018f3a5e-7c1a-7b7e-9d6e-0c8f2b1a0004', event: 'no time', distinct_id: 'user-7', properties: {} },
]

/** The same in Mixpanel's raw export. */
export const MIXPANEL_EXPORT: readonly object[] = [
  {
    event: '$mp_web_page_view',
    properties: {
      time: 1714644000,
      distinct_id: '$device:18f3a5e',
      $device_id: '18f3a5e',
      $insert_id: 'abc123',
      $current_url: 'https://shop.example/lamps',
      current_domain: 'shop.example',
      mp_country_code: 'DE',
      $city: 'Hamburg',
      $browser: 'Chrome',
      $browser_version: 124,
      ip: '203.0.113.7',
      mp_lib: 'web',
      $lib_version: '2.55.1',
      $mp_api_endpoint: 'api-js.mixpanel.com',
      $mp_api_timestamp_ms: 1714644000987,
      mp_processing_time_ms: 1714644001230,
    },
  },
  {
    event: 'Sign Up',
    properties: {
      time: 1714644060,
      distinct_id: 'user-8',
      $user_id: 'user-8',
      $device_id: '18f3a5e',
      $insert_id: 'abc124',
      mp_lib: 'web',
      method: 'email',
    },
  },
  { event: 'Sign Up', properties: { distinct_id: 'user-8', $insert_id: 'abc125' } },
]

/** The same in Amplitude's export. */
export const AMPLITUDE_EXPORT: readonly object[] = [
  {
    $insert_id: '5f0adeee-2e9b-4a5e-b0c7-6b0f5d7c1a01',
    uuid: '2d9c2a4e-0871-11ef-9262-0242ac120002',
    event_type: '[Amplitude] Page Viewed',
    user_id: null,
    device_id: 'dev-1',
    amplitude_id: 1234567,
    session_id: 1714644000000,
    client_event_time: '2024-05-02 10:00:00.123000',
    // The clock of the client is two minutes late.
    event_time: '2024-05-02 10:02:00.123000',
    server_received_time: '2024-05-02 10:02:01.000000',
    library: 'amplitude-ts/2.11.1',
    platform: 'Web',
    os_name: 'Chrome',
    os_version: '124',
    device_family: 'Windows',
    country: 'Germany',
    city: 'Hamburg',
    ip_address: '203.0.113.7',
    event_properties: { '[Amplitude] Page Path': '/lamps', '[Amplitude] Page Domain': 'shop.example' },
    user_properties: {},
  },
  {
    uuid: '2d9c2a4e-0871-11ef-9262-0242ac120003',
    event_type: 'purchase',
    user_id: 'user-9',
    device_id: 'dev-1',
    session_id: 1714644000000,
    client_event_time: '2024-05-02 10:04:00.000000',
    event_time: '2024-05-02 10:06:00.000000',
    event_properties: { revenue: 12.5 },
    user_properties: { plan: 'pro' },
  },
  { event_type: 'purchase', user_id: null, device_id: null, event_time: '2024-05-02 10:04:00' },
]

/** A page of PostHog's API: the export's events, whose ids have another name there. */
export function toPosthogAnswer(next: string | null): object {
  const results = POSTHOG_EXPORT.map((record) => {
    const { uuid: id, created_at: _, ...event } = record as Record<string, unknown>
    return { id, ...event, person: { is_identified: true, properties: { results: [1] } }, elements: [] }
  })
  return { next, results }
}

/** A visit with a sign-in, minute by minute: two pages before, two after. */
const SIGN_IN = [0, 1, 2, 3].map((minute) => ({ minute, isSignedIn: minute > 1 }))
const SIGN_IN_MS = Date.UTC(2024, 4, 2, 10)

/** The same visit in the export of each service that has no session ids of its own, or numbers them by device. */
export const SIGN_IN_EXPORTS = {
  amplitude: SIGN_IN.map(({ minute, isSignedIn }) => ({
    uuid: `2d9c2a4e-0871-11ef-9262-0242ac12010${minute}`,
    event_type: '[Amplitude] Page Viewed',
    user_id: isSignedIn ? 'user-9' : null,
    device_id: 'dev-1',
    session_id: SIGN_IN_MS,
    event_time: `2024-05-02 10:0${minute}:00.000000`,
  })),
  mixpanel: SIGN_IN.map(({ minute, isSignedIn }) => ({
    event: '$mp_web_page_view',
    properties: {
      time: SIGN_IN_MS / 1000 + minute * 60,
      distinct_id: isSignedIn ? 'user-8' : '$device:18f3a5e',
      $device_id: '18f3a5e',
      ...(isSignedIn ? { $user_id: 'user-8' } : {}),
      mp_lib: 'web',
      $insert_id: `visit-${minute}`,
    },
  })),
} as const

/** The files of an archive of Umami: a visitor without an id, and one with an id and data. */
export const UMAMI_EXPORT: Readonly<Record<string, string>> = {
  'website_event.csv': [
    'website_id,session_id,visit_id,event_id,hostname,browser,os,device,country,url_path,url_query,event_type,event_name,distinct_id,created_at',
    'w,6d1f0a9e-3e47-5c0a-8c5e-0c4b6f1f2a01,0b6c2f6d-7a5e-5b8e-9c40-61d0c2a7e502,9f7a4f0c-1d2b-4c8a-b1c7-2e5d6f7a8b03,shop.example,chrome,Linux,desktop,DE,/lamps,,1,,,2026-03-01 10:00:00',
    'w,6d1f0a9e-3e47-5c0a-8c5e-0c4b6f1f2a02,0b6c2f6d-7a5e-5b8e-9c40-61d0c2a7e503,9f7a4f0c-1d2b-4c8a-b1c7-2e5d6f7a8b04,shop.example,safari,Mac OS,laptop,DE,/cart,,2,"Sign ""Up""",ann,2026-03-01 10:05:00',
    'w,s,v,e,too short',
    '',
  ].join('\r\n'),
  'event_data.csv':
    '\ufeffwebsite_id,session_id,event_id,url_path,event_name,data_key,string_value,number_value,date_value,data_type,created_at,job_id\r\n' +
    'w,s,9f7a4f0c-1d2b-4c8a-b1c7-2e5d6f7a8b04,/cart,Sign Up,seats,3,3.0000,,2,2026-03-01 10:05:00,\r\n',
  'session_data.csv':
    'website_id,session_id,data_key,string_value,number_value,date_value,data_type,distinct_id,created_at,job_id\n' +
    'w,s,plan,pro,,,1,ann,2026-03-01 10:05:00,\n',
}

/** Two events of a user in GA4's export to BigQuery. */
export const GA4_EXPORT: readonly object[] = [
  {
    event_date: '20240502',
    event_timestamp: '1714644000123456',
    event_name: 'page_view',
    event_params: [
      { key: 'ga_session_id', value: { int_value: '1714643999' } },
      { key: 'page_location', value: { string_value: 'https://shop.example/lamps' } },
    ],
    user_pseudo_id: '1234.5678',
    device: { category: 'desktop', web_info: { browser: 'Chrome' } },
    geo: { country: 'Germany' },
  },
  {
    event_timestamp: '1714644060000000',
    event_name: 'sign_up',
    event_params: [{ key: 'ga_session_id', value: { int_value: '1714643999' } }],
    user_id: 'user-10',
    user_pseudo_id: '1234.5678',
    user_properties: [{ key: 'plan', value: { string_value: 'pro' } }],
  },
  { event_timestamp: '1714644060000000', event_name: 'sign_up', event_params: [], user_pseudo_id: null },
]

/** Records as lines of JSON. */
export function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

import { SHOP_HOST, type VisitEvent } from './visits.ts'

/** Parameters of ads that posthog-js names in every event, most of them without a value. */
const AD_PARAMETERS = [
  'li_fat_id',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'gad_source',
  'mc_cid',
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'twclid',
  'igshid',
  'ttclid',
  'rdt_cid',
  'epik',
  'qclid',
  'sccid',
  'oppref',
  'bfcid',
  'irclid',
  '_kx',
] as const

/** An event of posthog-js 1.449, with all that it adds. */
export function toPosthogJs(event: VisitEvent, key: string): Readonly<Record<string, unknown>> {
  const { eventId, kind, timeMs } = event
  const isView = kind === 'page_view'
  return {
    uuid: eventId,
    event: isView ? '$pageview' : kind,
    properties: {
      ...browserOf(event),
      ...libraryOf(event),
      ...Object.fromEntries(AD_PARAMETERS.map((name) => [name, event.campaign[name] ?? null])),
      $referrer: event.referrer || '$direct',
      $referring_domain: event.referrer ? new URL(event.referrer).hostname : '$direct',
      ...event.properties,
      token: key,
      $config_defaults: 'unset',
      ...sessionOf(event),
      ...(isView ? { title: event.title } : {}),
      $is_identified: event.isUser,
      $process_person_profile: event.isUser,
      $lib_rate_limit_remaining_tokens: 99,
    },
    timestamp: new Date(timeMs).toISOString(),
  }
}

function browserOf({ agent, language, pathname, search }: VisitEvent): object {
  const [width, height] = agent.screen
  return {
    $os: agent.os,
    $os_version: agent.osVersion,
    $browser: agent.browser,
    $device_type: agent.deviceType === 'mobile' ? 'Mobile' : 'Desktop',
    $timezone: 'Europe/Berlin',
    $timezone_offset: -60,
    $current_url: `https://${SHOP_HOST}${pathname}${search}`,
    $host: SHOP_HOST,
    $pathname: pathname,
    $raw_user_agent: agent.userAgent,
    $browser_version: Number.parseFloat(agent.browserVersion),
    $browser_language: language,
    $browser_language_prefix: language.slice(0, 2),
    $screen_height: height,
    $screen_width: width,
    $viewport_height: height - 120,
    $viewport_width: width,
  }
}

function libraryOf({ eventId, timeMs, deviceId, distinctId, isUser }: VisitEvent): object {
  return {
    $lib: 'web',
    $lib_version: '1.449.2',
    $insert_id: eventId.replaceAll('-', '').slice(0, 16),
    $time: timeMs / 1000,
    $sdk_dist_channel: 'cdn',
    $initialization_time: new Date(timeMs - 1000).toISOString(),
    $configured_session_timeout_ms: 1_800_000,
    distinct_id: isUser ? distinctId : deviceId,
    $device_id: deviceId,
    ...(isUser ? { $user_id: distinctId } : {}),
    $sdk_debug_extensions_init_method: 'synchronous',
    $sdk_debug_extensions_init_time_ms: 5,
  }
}

function sessionOf({ sessionId, pathname, referrer, eventId }: VisitEvent): object {
  return {
    $session_id: sessionId,
    $window_id: sessionId,
    $session_entry_referrer: referrer || '$direct',
    $session_entry_referring_domain: referrer ? new URL(referrer).hostname : '$direct',
    $session_entry_url: `https://${SHOP_HOST}${pathname}`,
    $session_entry_host: SHOP_HOST,
    $session_entry_pathname: pathname,
    $recording_status: 'disabled',
    $sdk_debug_retry_queue_size: 0,
    $lib_custom_api_host: 'https://in.shop.example/posthog',
    $pageview_id: eventId,
  }
}

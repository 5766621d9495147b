/**
 * Names that uap-core splits by platform. `$os` and `$mobile` tell the platform, so that a breakdown by browser has one
 * Chrome and not four.
 */
export const BROWSER_NAMES: ReadonlyMap<string, string> = new Map([
  ['Chrome Mobile', 'Chrome'],
  ['Chrome Mobile iOS', 'Chrome'],
  ['Chrome Mobile WebView', 'Chrome WebView'],
  ['DuckDuckGo Mobile', 'DuckDuckGo'],
  ['Edge Mobile', 'Edge'],
  ['Firefox Mobile', 'Firefox'],
  ['Firefox iOS', 'Firefox'],
  ['IE Mobile', 'IE'],
  ['Mobile Safari', 'Safari'],
  ['Mobile Safari UI/WKWebView', 'Safari WebView'],
  ['Opera Mobile', 'Opera'],
])

/** Names of systems that their maker has changed. */
export const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([['Mac OS X', 'macOS']])

/** Names that uap-core gives when it knows no device, and the frozen model of Chrome on Android. */
export const NO_DEVICE: ReadonlySet<string> = new Set([
  'Generic Feature Phone',
  'Generic Smartphone',
  'Generic Tablet',
  'K',
  'Other',
  'Spider',
])

/** The name that uap-core gives to the device of a crawler. */
export const CRAWLER_DEVICE = 'Spider'

/** The sort of device a client runs on. */
export type DeviceType = 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'wearable' | 'bot'

/** The sort of device by the user agent, first match wins; crawlers are told apart before. */
export const DEVICE_TYPES: readonly (readonly [RegExp, DeviceType])[] = [
  [/PlayStation|Xbox|Nintendo/, 'console'],
  [
    /Smart-?TV|AppleTV|Apple TV|tvOS|GoogleTV|Android TV|HbbTV|Web0S|webOS\.TV|NetCast|BRAVIA|Roku|CrKey|\bAFT[A-Z]|\bTV Safari/i,
    'tv',
  ],
  [/Watch ?OS|Apple ?Watch|Wear OS|SM-R\d{3}/i, 'wearable'],
  [/iPad|Tablet|Kindle|Silk\/(?!.*Mobile)|PlayBook/, 'tablet'],
  [/iPhone|iPod|Windows Phone|IEMobile|KAIOS|BlackBerry|BB10|Opera Mini|Symbian|webOS/i, 'mobile'],
  // Android's own convention: a phone says Mobile, a tablet does not. Its HTTP library says neither.
  [/Android.*Mobile|Mobile.*Android|^Dalvik/, 'mobile'],
  [/Android/, 'tablet'],
  [/Mobile/, 'mobile'],
  [/Windows NT|Macintosh|Mac OS X|X11|Linux|CrOS/, 'desktop'],
]

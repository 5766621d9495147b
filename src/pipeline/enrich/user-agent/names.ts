/**
 * Names that uap-core splits by platform. The platform is in `$os` and `$mobile`, so that a breakdown by browser has one
 * Chrome instead of four.
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

/** Names of systems that have been renamed. */
export const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([['Mac OS X', 'macOS']])

/** Names of uap-core for an unknown device, and the frozen model of Chrome on Android. */
export const NO_DEVICE: ReadonlySet<string> = new Set([
  'Generic Feature Phone',
  'Generic Smartphone',
  'Generic Tablet',
  'K',
  'Other',
  'Spider',
])

/** uap-core's device name of a crawler. */
export const CRAWLER_DEVICE = 'Spider'

/** The type of a client's device. */
export type DeviceType = 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'wearable' | 'bot'

/** The type of a device by user agent, first match wins; crawlers are detected before. */
export const DEVICE_TYPES: readonly (readonly [RegExp, DeviceType])[] = [
  [/PlayStation|Xbox|Nintendo/, 'console'],
  [
    /Smart-?TV|AppleTV|Apple TV|tvOS|GoogleTV|Android TV|HbbTV|Web0S|webOS\.TV|NetCast|BRAVIA|Roku|CrKey|\bAFT[A-Z]|\bTV Safari/i,
    'tv',
  ],
  [/Watch ?OS|Apple ?Watch|Wear OS|SM-R\d{3}/i, 'wearable'],
  [/iPad|Tablet|Kindle|Silk\/(?!.*Mobile)|PlayBook/, 'tablet'],
  [/iPhone|iPod|Windows Phone|IEMobile|KAIOS|BlackBerry|BB10|Opera Mini|Symbian|webOS/i, 'mobile'],
  // Android's convention: phones have Mobile, tablets do not. Its HTTP library, Dalvik, has neither.
  [/Android.*Mobile|Mobile.*Android|^Dalvik/, 'mobile'],
  [/Android/, 'tablet'],
  [/Mobile/, 'mobile'],
  [/Windows NT|Macintosh|Mac OS X|X11|Linux|CrOS/, 'desktop'],
]

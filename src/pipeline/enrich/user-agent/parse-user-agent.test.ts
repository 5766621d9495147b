import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MapRow } from '../../../../test/harness/map-row.ts'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { applyUserAgent, parseUserAgent, userAgentProperties } from './parse-user-agent.ts'
import { readPatternLists } from './pattern-list.ts'

const patterns = readPatternLists()
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE}`

/** Browser, its version, system, its version, device, sort of device. */
function describeUserAgent(text: string): string {
  const { browser, browserVersion, os, osVersion, device, deviceType } = parseUserAgent(patterns, text)
  return [browser, browserVersion, os, osVersion, device, deviceType].map((part) => part ?? '-').join(' | ')
}

test.each([
  [`${WINDOWS} ${CHROME} Safari/537.36`, 'Chrome | 138.0.0.0 | Windows | 10 | - | desktop'],
  [
    `${WINDOWS} ${CHROME} Safari/537.36 Edg/138.0.3351.65`,
    'Edge | 138.0.3351.65 | Windows | 10 | - | desktop',
  ],
  [`${WINDOWS} ${CHROME} Safari/537.36 OPR/120.0.0.0`, 'Opera | 120.0.0 | Windows | 10 | - | desktop'],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'IE | 11.0 | Windows | 7 | - | desktop'],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox | 140.0 | Linux | - | - | desktop',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox | 140.0 | Ubuntu | - | - | desktop',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`,
    'Safari | 18.5 | macOS | 10.15.7 | Mac | desktop',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
    'Chrome | 138.0.0.0 | Chrome OS | 14541.0.0 | - | desktop',
  ],
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari | 18.5 | iOS | 18.5 | iPhone | mobile'],
  [
    `${IPHONE} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`,
    'Chrome | 138.0.7204.33 | iOS | 18.5 | iPhone | mobile',
  ],
  [`${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox | 140.0 | iOS | 18.5 | iPhone | mobile'],
  [`${IPHONE} Mobile/15E148`, 'Safari WebView | - | iOS | 18.5 | iPhone | mobile'],
  [`${IPHONE} Mobile/21F79 Instagram 335.0.0.1.2`, 'Instagram | 335.0.0 | iOS | 18.5 | iPhone | mobile'],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari | 17.5 | iOS | 17.5 | iPad | tablet',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
    'Chrome | 138.0.0.0 | Android | 10 | - | mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Safari/537.36`,
    'Chrome | 138.0.0.0 | Android | 10 | - | tablet',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${CHROME} Mobile Safari/537.36`,
    'Chrome | 138.0.0.0 | Android | 14 | Samsung SM-S911B | mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Pro) ${CHROME} Mobile Safari/537.36`,
    'Chrome | 138.0.0.0 | Android | 14 | Pixel 8 Pro | mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet | 25.0 | Android | 13 | - | mobile',
  ],
  [
    'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'Firefox | 140.0 | Android | 14 | - | mobile',
  ],
  [
    'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240105.004)',
    'Android | 14 | Android | 14 | Pixel 8 | mobile',
  ],
  [
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/2.2 Chrome/76.0 TV Safari/537.36',
    'Samsung Internet | 2.2 | Tizen | 6.0 | Samsung SMART-TV | tv',
  ],
  [
    'Mozilla/5.0 (PlayStation; PlayStation 5/5.10) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
    'Safari | 13.0 | - | - | PlayStation 5 | console',
  ],
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Googlebot | 2.1 | - | - | - | bot',
  ],
  [
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'Googlebot | 2.1 | Android | 6.0.1 | - | bot',
  ],
  ['Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', 'GPTBot | 1.2 | - | - | - | bot'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/103.0 Safari/537.36',
    'bingbot | 2.0 | - | - | - | bot',
  ],
  [
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'FacebookBot | 1.1 | - | - | - | bot',
  ],
  ['curl/8.5.0', 'curl | 8.5.0 | - | - | - | -'],
  ['python-requests/2.32', 'Python Requests | 2.32 | - | - | - | -'],
  ['node', '- | - | - | - | - | -'],
  ['', '- | - | - | - | - | -'],
])('%s', (text, description) => {
  expect(describeUserAgent(text)).toBe(description)
})

test('only a phone is mobile', () => {
  const isMobile = [
    `${IPHONE} Mobile/15E148`,
    'Mozilla/5.0 (iPad; CPU OS 17_5)',
    'Mozilla/5.0 (Windows NT 10.0)',
    'curl/8',
  ].map((text) => parseUserAgent(patterns, text).isMobile)
  expect(isMobile).toEqual([true, false, false, undefined])
})

test('no part is empty or longer than the text', () => {
  const piece = fc.constantFrom(
    'Mozilla/5.0 (',
    'Linux; Android ',
    'Chrome/',
    '; ',
    ') ',
    'Mobile',
    '1.2',
    'iPhone OS ',
    'bot',
    '$1',
    ' Build/',
  )
  const text = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (userAgent) => {
      const texts = Object.values(parseUserAgent(patterns, userAgent)).map(String)
      expect(texts.filter((part) => part === '' || part.length > 600)).toEqual([])
    }),
    { numRuns: propertyRuns(200) },
  )
})

test('each property is set only where the client sent none', () => {
  const row = new MapRow([
    ['$browser', { type: 'string', value: 'Own' }],
    ['$os', { type: 'string', value: '' }],
    ['$osVersion', { type: 'double', value: 11 }],
    ['$mobile', { type: 'bool', value: true }],
  ])
  const facts = {
    browser: 'Chrome',
    browserVersion: '138',
    os: 'Windows',
    osVersion: '10',
    deviceType: 'desktop',
    isMobile: false,
  } as const
  applyUserAgent(row, userAgentProperties(facts))
  expect(Object.fromEntries(row.properties)).toEqual({
    $browser: { type: 'string', value: 'Own' },
    $browserVersion: { type: 'string', value: '138' },
    $os: { type: 'string', value: 'Windows' },
    $osVersion: { type: 'double', value: 11 },
    $deviceType: { type: 'string', value: 'desktop' },
    $mobile: { type: 'bool', value: true },
  })
})

test('nothing is set without a user agent', () => {
  const row = new MapRow()
  applyUserAgent(row, undefined)
  applyUserAgent(row, userAgentProperties({}))
  expect(row.properties.size).toBe(0)
})

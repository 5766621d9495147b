import { expect, test } from 'vitest'
import { isBotAgent } from './bot-agent.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  `Mozilla/5.0 ${WEBKIT}; compatible; GPTBot/1.2; +https://openai.com/gptbot`,
  `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/138.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/136.0.0.0 Safari/537.36 Chrome-Lighthouse`,
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (compatible; bot using okhttp/4.12)',
  'Pythonista-Crawler/1.0 (+https://example.com/bot)',
])('%s is a bot', (userAgent) => {
  expect(isBotAgent(userAgent)).toBe(true)
})

test.each([
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 9; CUBOT_X19) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F79 Instagram 320.0',
  'okhttp/4.12.0',
  'Shop/2.1 okhttp/4.12.0',
  'Shop/12 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Dart/3.4 (dart:io)',
  'Ktor client',
  'curl/8.5.0',
  'python-requests/2.32.0',
  'node',
  'UnityPlayer/2022.3.10f1 (UnityWebRequest/1.0, libcurl/8.1.1-DEV)',
  '',
])('%s is not a bot', (userAgent) => {
  expect(isBotAgent(userAgent)).toBe(false)
})

import { expect, test } from 'vitest'
import { isServerLibrary } from './server-libraries.ts'

const SERVERS = [
  'posthog-node',
  'posthog-python',
  'posthog-dotnet',
  'posthog-rs',
  'node',
  'php',
  '@segment/analytics-node',
  'analytics-node',
  'Analytics.NET',
  'analytics-java',
  'rudder-sdk-go',
  'amplitude-node-ts/1.5.73',
  'amplitude-python/1.1.5',
  'http/2.0',
]
const DEVICES = [
  '',
  'web',
  'js',
  'posthog-js',
  'posthog-ios',
  'posthog-react-native',
  'posthog-flutter',
  'iphone',
  'android',
  'analytics.js',
  'analytics-next',
  'analytics-kotlin',
  'amplitude-ts/2.11.1',
  'amplitude-analytics-android/1.16.8',
  'amplitude-swift/1.9.0',
  'unity',
  'internet-browser',
]

test.each(SERVERS)('%j runs on servers', (name) => {
  expect(isServerLibrary(name)).toBe(true)
})

test.each(DEVICES)('%j runs on devices', (name) => {
  expect(isServerLibrary(name)).toBe(false)
})

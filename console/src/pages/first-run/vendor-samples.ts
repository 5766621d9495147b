import type { Sample, SampleFacts } from './ways.ts'

/** What changes in the code of those who send with another product's SDK. */
export function vendorSamples({ origin, key }: SampleFacts): readonly Sample[] {
  return [
    {
      label: 'PostHog',
      page: 'clients/posthog',
      text: `posthog.init(\n  '${key}',\n  { api_host: '${origin}/posthog' },\n)`,
      replaced: { 1: `  'phc_...',`, 2: `  { api_host: 'https://eu.i.posthog.com' },` },
    },
    {
      label: 'Mixpanel',
      page: 'clients/mixpanel',
      text: `mixpanel.init(\n  '${key}',\n  { api_host: '${origin}/mixpanel' },\n)`,
      replaced: { 1: `  '...',`, 2: `  { api_host: 'https://api-js.mixpanel.com' },` },
    },
    {
      label: 'Segment',
      page: 'clients/segment',
      text: `AnalyticsBrowser.load({\n  writeKey: '${key}',\n  cdnURL: '${origin}/segment',\n})`,
      replaced: { 1: `  writeKey: '...',`, 2: `  cdnURL: 'https://cdn.segment.com',` },
    },
    {
      label: 'RudderStack',
      page: 'clients/rudderstack',
      text: `new RudderAnalytics(\n  '${key}',\n  { dataPlaneUrl: '${origin}/segment' },\n)`,
      replaced: { 1: `  '...',`, 2: `  { dataPlaneUrl: 'https://hosted.rudderlabs.com' },` },
    },
    {
      label: 'Amplitude',
      page: 'clients/amplitude',
      text: `amplitude.init(\n  '${key}',\n  { serverUrl: '${origin}/amplitude/2/httpapi' },\n)`,
      replaced: { 1: `  '...',`, 2: `  { serverUrl: 'https://api2.amplitude.com/2/httpapi' },` },
    },
    {
      label: 'Plausible',
      page: 'clients/plausible',
      text: `<script defer\n  data-domain="shop.example"\n  data-api="${origin}/plausible/${key}/api/event"\n  src="/js/script.js"\n></script>`,
      replaced: { 2: `  data-api="https://plausible.io/api/event"` },
    },
    {
      label: 'Umami',
      page: 'clients/umami',
      text: `<script defer\n  data-website-id="shop"\n  data-host-url="${origin}/umami/${key}"\n  src="/umami.js"\n></script>`,
      replaced: { 2: `  data-host-url="https://cloud.umami.is"` },
    },
    {
      label: 'OpenPanel',
      page: 'clients/openpanel',
      text: `new OpenPanel({\n  clientId: '${key}',\n  apiUrl: '${origin}/openpanel',\n})`,
      replaced: { 1: `  clientId: '...',`, 2: `  apiUrl: 'https://api.openpanel.dev',` },
    },
    {
      label: 'GA4',
      page: 'clients/ga4',
      text: `curl '${origin}/ga4/mp/collect?api_secret=${key}' \\\n  -d '{"client_id": "7234.1795", "events": [{"name": "sign_up"}]}'`,
      replaced: { 0: `curl 'https://www.google-analytics.com/mp/collect?api_secret=...' \\` },
    },
  ]
}

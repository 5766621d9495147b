import { create } from '@bufbuild/protobuf'
import { ActivityEventSchema } from '@contract/shared/activity/v1/activity_pb.js'
import { expect, test } from 'vitest'
import { describeEvent } from './describe-event.ts'

type Values = Readonly<Record<string, string | number>>

test.each<[string, { kind?: string; displayName?: string; page?: string; own?: Values }, string]>([
  ['a page view by its page', { kind: 'page_view', page: '/lamps', own: { theme: 'dark' } }, '/lamps'],
  ['a page view without a page by its texts', { kind: 'page_view', own: { theme: 'dark' } }, 'dark'],
  [
    'another event by its amount, then its texts',
    { page: '/a', own: { category: 'Chairs', coupon: 'X', currency: 'EUR', price: 249 } },
    '249 EUR \u00b7 Chairs',
  ],
  ['an amount of nothing as an amount', { own: { revenue: 0, currency: 'EUR' } }, '0 EUR'],
  ['one without texts by its page', { page: '/a', own: { empty: '', items: 2 } }, '/a'],
  ['one without either by nothing', { own: { items: 2 } }, ''],
  [
    'one that is shown by the name of an SDK without that name',
    { displayName: 'Signed Up', own: { event_name: 'Signed Up', plan: 'pro' } },
    'pro',
  ],
  [
    'one without a generated ID',
    { own: { order_id: '5246d2ff-17bb-5dd6-8b90-2dcccdfbabca', plan: 'team' } },
    'team',
  ],
  [
    'one of Mixpanel without the name of its SDK',
    { displayName: 'Signed Up', page: '/a', own: { mp_lib: 'node', mp_processing_time_ms: 'soon' } },
    '/a',
  ],
])('describes %s', (_, { kind = 'buy', displayName = '', page, own = {} }, text) => {
  const event = create(ActivityEventSchema, {
    kind,
    displayName,
    autoProperties: page === undefined ? {} : { $pathname: page },
    customProperties: own,
  })
  expect(describeEvent(event, (amount, currency) => `${amount} ${currency}`)).toBe(text)
})

import { expect, test } from 'vitest'
import { readMedium } from './medium.ts'

test.each([
  [
    'paid',
    'cpc ppc ppv cpa cpl cpe brand-cpc cpc-brand cpc_2024 paid paidmedia ads ad retargeting dynamic_remarketing',
  ],
  ['paid search', 'paidsearch paid-search paid_search sem'],
  ['paid social', 'paidsocial paid_social social-ads social_paid social_cpc'],
  ['paid video', 'paidvideo paid_video cpv video_ads'],
  ['paid display', 'cpm'],
  ['display', 'display banner banners interstitial expandable programmatic'],
  ['email', 'email e-mail e_mail emails newsletter'],
  ['affiliate', 'affiliate affiliates'],
  ['social', 'social social-network social_media socialmedia sm'],
  ['video', 'video videos organic_video'],
  ['organic', 'organic organic_search'],
  ['referral', 'referral link app'],
  ['none', '(none) none'],
  ['', 'push sms audio qr print apple upper cpu-less cppx copy unpaid'],
])('%j: %s', (meaning, mediums) => {
  const readings = mediums.split(' ').map((medium) => {
    const { isPaid, form } = readMedium(medium)
    return [isPaid && 'paid', form].filter(Boolean).join(' ')
  })
  expect(readings).toEqual(readings.map(() => meaning))
})

import { expect, test } from 'vitest'
import { arrangeSteps, type Origins } from './arrange-steps.ts'
import { type FunnelOptionsDraft, NO_FUNNEL_OPTIONS } from './funnel-options.ts'

const refund = (after: number, before: number) => ({ kind: 'refund', filters: [], after, before })

const OPTIONS: FunnelOptionsDraft = {
  ...NO_FUNNEL_OPTIONS,
  optionalSteps: [2],
  stepWindows: ['0s', '60s', '0s', '3600s'],
  attributionStep: 3,
  fromStep: 2,
  toStep: 4,
  exclusions: [refund(1, 2), refund(2, 4)],
}

test.each<[change: string, origins: Origins, expected: Partial<FunnelOptionsDraft>]>([
  ['that stay', [0, 1, 2, 3], {}],
  [
    'of which the second moves to the third',
    [0, 2, 1, 3],
    {
      optionalSteps: [3],
      stepWindows: ['0s', '0s', '60s', '3600s'],
      attributionStep: 2,
      fromStep: 3,
      exclusions: [refund(1, 3), refund(3, 4)],
    },
  ],
  [
    'of which the second is removed',
    [0, 2, 3],
    {
      optionalSteps: [],
      stepWindows: ['0s', '0s', '3600s'],
      attributionStep: 2,
      fromStep: 0,
      toStep: 3,
      exclusions: [refund(1, 2), refund(1, 3)],
    },
  ],
  [
    'of which the last is removed',
    [0, 1, 2],
    { stepWindows: ['0s', '60s'], toStep: 0, exclusions: [refund(1, 2), refund(2, 3)] },
  ],
  [
    'of which the first is removed',
    [1, 2, 3],
    {
      optionalSteps: [1],
      stepWindows: ['60s', '0s', '3600s'],
      attributionStep: 2,
      fromStep: 1,
      toStep: 3,
      exclusions: [refund(1, 3)],
    },
  ],
  [
    'of which the second is duplicated',
    [0, 1, undefined, 2, 3],
    {
      stepWindows: ['0s', '60s', '0s', '0s', '3600s'],
      attributionStep: 4,
      toStep: 5,
      exclusions: [refund(1, 2), refund(2, 5)],
    },
  ],
  [
    'of which the last moves to the front',
    [3, 0, 1, 2],
    {
      optionalSteps: [3],
      stepWindows: ['3600s', '0s', '60s'],
      attributionStep: 4,
      fromStep: 0,
      toStep: 0,
      exclusions: [refund(2, 3), refund(1, 3)],
    },
  ],
])('steps %s have their own options', (_, origins, expected) => {
  expect(arrangeSteps(OPTIONS, origins)).toEqual({ ...OPTIONS, ...expected })
})

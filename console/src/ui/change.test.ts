import { expect, test } from 'vitest'
import { type Change, judgeChange } from './change.ts'

test.each<[Change, string, string]>([
  [{ by: 0.124 }, 'up', 'good'],
  [{ by: -0.031 }, 'down', 'bad'],
  [{ by: -0.021, better: 'down' }, 'down', 'good'],
  [{ by: 0.021, better: 'down' }, 'up', 'bad'],
  [{ by: 0.3, better: 'neither' }, 'up', 'neutral'],
  [{ by: 0.000_49 }, 'none', 'neutral'],
  [{ by: -0.000_5 }, 'down', 'bad'],
  [{ by: 'new' }, 'up', 'good'],
  [{ by: 'new', better: 'down' }, 'up', 'neutral'],
])('the change %j goes %s and is %s', (change, direction, verdict) => {
  expect(judgeChange(change)).toEqual({ direction, verdict })
})

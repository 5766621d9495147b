import { expect, test } from 'vitest'
import { embedCode, shareLink } from './share-address.ts'

const BOARD = { origin: 'https://a.example', shareId: 'aB-3_' }

test('a shared dashboard has a link, one that is not shared has none', () => {
  expect(shareLink(BOARD)).toBe('https://a.example/share/aB-3_')
  expect(shareLink({ ...BOARD, shareId: '' })).toBe('')
})

test('the name of a dashboard cannot leave its attribute in the embed code', () => {
  const code = embedCode({ ...BOARD, name: '"><script>alert(1)</script> & co' })
  expect(code).toContain('src="https://a.example/embed/aB-3_"')
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; co"')
  expect(code.match(/[<>]/g)).toHaveLength(4)
})

import { expect, test } from 'vitest'
import { keepVersion } from './stored-version.ts'

test('a version of somebody else is refused once, and one that the form has is not', async () => {
  let stored: string | undefined = 'first'
  const version = keepVersion<string>('first', { read: async () => stored, textOf: (text) => text.trim() })
  await version.check()
  stored = 'of somebody else'
  await expect(version.check()).rejects.toMatchObject({ code: 'aborted' })
  await version.check()
  stored = 'of the form '
  version.accept(stored)
  await version.check()
  stored = undefined
  await version.check()
})

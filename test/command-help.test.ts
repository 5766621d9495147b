import { expect, test } from 'vitest'
import { runMillrace } from './harness/service.ts'

test.each([['--help'], ['-h'], ['help']])('%s tells all commands', async (word) => {
  const { code, stdout, stderr } = await runMillrace([word], {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('millrace start')
})

test('a command tells how it is used, and does nothing else', async () => {
  const { code, stdout } = await runMillrace(['restore', '/nowhere', '--help'], {})
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'usage: millrace restore <folder of a backup>\nmake an empty data folder of a backup\n',
  })
})

test('what is no command is an error', async () => {
  const { code, stdout, stderr } = await runMillrace(['strat'], {})
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('millrace start')
})

import type { Server } from 'node:http'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type LogLine, recordingLog } from '../../../test/harness/recording-log.ts'
import { parseSettings, type Settings } from '../../settings/settings.ts'
import { findFreePort } from '../../store/embedded/readiness.ts'
import { startAdminServer } from './admin-server.ts'

const lines: LogLine[] = []
let settings: Settings
let server: Server | undefined

beforeAll(async () => {
  const parsed = parseSettings({
    SERVICE_ADMIN_PORT: String(await findFreePort()),
  })
  if (!parsed.ok) throw new Error(parsed.error)
  settings = parsed.value
})

afterEach(() => server?.close())

test('metrics that cannot be read are an error with its cause in the log', async () => {
  const metrics = async () => await Promise.reject(new Error('a role gave no numbers'))
  const supervisor = { isUp: () => true, metrics }
  server = await startAdminServer(settings, { supervisor, log: recordingLog(lines) })
  const response = await fetch(`http://127.0.0.1:${settings.adminPort}/metrics`)
  expect(response.status).toBe(500)
  expect(lines).toMatchObject([{ level: 'error', message: 'the metrics could not be read' }])
  expect(lines[0]?.fields.err).toContain('a role gave no numbers')
})

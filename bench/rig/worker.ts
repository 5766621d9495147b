import { asProjectId } from '../../src/contract/ids.ts'
import type { WorkerSettings } from '../../src/pipeline/create-batch-processor.ts'
import type { BatchRequest } from '../../src/pipeline/task.ts'
import type { Teardown } from '../teardown.ts'

const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The settings of a worker as the service's fallbacks have them, in a separate folder. */
export function workerSettings(teardown: Teardown): WorkerSettings {
  return {
    bodyBytesMax: 8 * 1024 * 1024,
    dataDir: teardown.temporaryFolder(),
    redisUrl: undefined,
    geoipPath: undefined,
    typedEvents: 'observe',
    logLevel: 'warn',
  }
}

/** A JSON request of one browser. */
export function jsonRequest(bytes: Buffer): BatchRequest {
  const client = { address: '203.0.113.9', userAgent: USER_AGENT, headers: undefined }
  return {
    projectId: asProjectId(1),
    codec: 'json',
    coding: 'identity',
    bytes,
    client,
    isPublicKey: true,
    domains: [],
    blockedKinds: [],
  }
}

/** The same in binary form. */
export function binaryRequest(bytes: Buffer): BatchRequest {
  return { ...jsonRequest(bytes), codec: 'proto' }
}

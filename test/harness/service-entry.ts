import { resolve } from 'node:path'
import type { ServiceBuild } from './service-build.ts'

const SOURCES: ServiceBuild = {
  path: resolve(import.meta.dirname, '../../src/bin/millrace.ts'),
  environment: {},
}

let entry: Promise<ServiceBuild> | undefined

/** How to run `millrace`: compiled once for all files of a run of Vitest, elsewhere from its sources. */
export async function findServiceEntry(): Promise<ServiceBuild> {
  if (process.env.VITEST === undefined) return SOURCES
  entry ??= import('./ask-shared-server.ts').then(
    async ({ askSharedServer }) => await askSharedServer<ServiceBuild>('/service-build'),
  )
  return await entry
}

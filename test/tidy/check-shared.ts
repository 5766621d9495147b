import { posix } from 'node:path'
import type { Breach } from './breach.ts'
import { packageName } from './check-packages.ts'
import type { CodeFile } from './code-file.ts'
import { layerName } from './layers.ts'
import { findModuleReferences, isRelative, type ModuleReference } from './module-references.ts'

/** How a client that is built for browsers names a module of the service, and where that is. */
const ALIASES = {
  '@contract/': 'src/contract/gen/',
  '@domain/': 'src/domain/',
  '@service/': 'src/',
} as const

/** Messages and descriptors: made for any client. */
const GENERATED = 'src/contract/gen/'

/** Where modules are that could run anywhere, and what of it asks the store. */
const SHARED_LAYERS = ['kernel', 'contract', 'domain', 'rpc', 'query']
const SERVER_ONLY = 'src/query/sql/'

/** Packages that run in browsers too. */
const BROWSER_PACKAGES = ['@bufbuild/protobuf', '@bufbuild/protovalidate']

/**
 * A client names modules of the service by its aliases, and those that it loads, with all that they load in turn, run in
 * a browser: no module of Node.js, no package but a few, nothing that asks the store. Types are not loaded.
 */
export function checkShared(client: readonly CodeFile[], service: readonly CodeFile[]): readonly Breach[] {
  const files = new Map(service.map((file) => [file.path, file]))
  const shared = new Set<string>()
  const breaches = client.flatMap((file) => followClient(file, shared))
  // A set that grows while it is walked is walked to its new end.
  for (const path of shared) {
    const file = files.get(path)
    if (file) breaches.push(...followShared(file, shared))
  }
  return breaches
}

/** Adds what a file of the client loads of the service. */
function followClient(file: CodeFile, shared: Set<string>): readonly Breach[] {
  return findModuleReferences(file).flatMap((reference) => {
    const { specifier = '' } = reference
    if (isRelative(specifier) && layerName(pathOf(file, specifier)) !== undefined)
      return [breachAt(file, reference, 'the service has an alias, @service')]
    const alias = Object.entries(ALIASES).find(([name]) => specifier.startsWith(name))
    return alias ? share(file, reference, `${alias[1]}${specifier.slice(alias[0].length)}`, shared) : []
  })
}

/** Adds what a shared module loads. */
function followShared(file: CodeFile, shared: Set<string>): readonly Breach[] {
  return findModuleReferences(file).flatMap((reference) => {
    const { specifier, use } = reference
    if (use === 'type') return []
    if (specifier !== undefined && isRelative(specifier))
      return share(file, reference, pathOf(file, specifier), shared)
    const isFit = specifier !== undefined && BROWSER_PACKAGES.includes(packageName(specifier))
    return isFit ? [] : [breachAt(file, reference, 'browsers load this file')]
  })
}

function share(
  file: CodeFile,
  reference: ModuleReference,
  path: string,
  shared: Set<string>,
): readonly Breach[] {
  if (reference.use === 'type' || path.startsWith(GENERATED)) return []
  if (!SHARED_LAYERS.includes(layerName(path) ?? '') || path.startsWith(SERVER_ONLY))
    return [breachAt(file, reference, 'browsers load this file')]
  shared.add(path)
  return []
}

function pathOf({ path }: CodeFile, specifier: string): string {
  return posix.join(posix.dirname(path), specifier)
}

function breachAt({ path }: CodeFile, { line, specifier }: ModuleReference, why: string): Breach {
  const subject = specifier ?? 'computed'
  return { rule: 'shared', path, line, subject, message: `imports ${specifier ?? 'a computed name'}: ${why}` }
}

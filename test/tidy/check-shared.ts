import { posix } from 'node:path'
import type { Breach } from './breach.ts'
import { type CodeFile, isTest } from './code-file.ts'
import { layerName } from './layers.ts'
import { findModuleReferences, isRelative, type ModuleReference } from './module-references.ts'

/** The layers that browsers load; the layer table keeps everything else out of them. */
const SHARED_LAYERS = ['contract', 'domain']

/** The console imports these layers by aliases, so that no other layer can be named. */
const ALIASES = '@contract and @domain'

/**
 * The console imports the service only by its aliases, which lead to the shared layers. Those use no module of Node.js; the
 * layer table limits their imports and packages.
 */
export function checkShared(client: readonly CodeFile[], service: readonly CodeFile[]): readonly Breach[] {
  const shared = service.filter((file) => !isTest(file) && SHARED_LAYERS.includes(layerName(file.path) ?? ''))
  return [...client.flatMap(checkClient), ...shared.flatMap(checkServiceFile)]
}

function checkClient(file: CodeFile): readonly Breach[] {
  return findModuleReferences(file).flatMap((reference) => {
    const { specifier } = reference
    if (specifier === undefined) return [breachAt(file, reference, 'name it, so that the build finds it')]
    if (!isRelative(specifier)) return []
    const path = posix.join(posix.dirname(file.path), specifier)
    return layerName(path) === undefined
      ? []
      : [breachAt(file, reference, `the console may import ${ALIASES}`)]
  })
}

function checkServiceFile(file: CodeFile): readonly Breach[] {
  return findModuleReferences(file).flatMap((reference) => {
    const isNode = reference.specifier?.startsWith('node:') ?? false
    return isNode && reference.use !== 'type' ? [breachAt(file, reference, 'browsers load this file')] : []
  })
}

function breachAt({ path }: CodeFile, { line, specifier }: ModuleReference, why: string): Breach {
  const subject = specifier ?? 'computed'
  return { rule: 'shared', path, line, subject, message: `imports ${specifier ?? 'a computed name'}: ${why}` }
}

import type { Breach } from './breach.ts'
import { type CodeFile, isTest } from './code-file.ts'
import { type Layers, layerName } from './layers.ts'
import { findModuleReferences, isRelative } from './module-references.ts'

const TEST_PACKAGES = ['vitest', 'fast-check']

/** A layer uses the modules of Node.js (`node:` only) and the packages of its row; tests also what the product uses. */
export function checkPackages(
  file: CodeFile,
  layers: Layers,
  dependencies: readonly string[],
): readonly Breach[] {
  const layer = layers.get(layerName(file.path) ?? '')
  if (layer === undefined) return []
  const extra = isTest(file) ? [...TEST_PACKAGES, ...dependencies] : []
  const allowed = new Set([...layer.packages, ...extra])
  const mayUse = layer.packages.length > 0 ? layer.packages.join(', ') : 'no package'
  return findModuleReferences(file).flatMap(({ specifier, line }) => {
    if (specifier === undefined || isRelative(specifier) || specifier.startsWith('node:')) return []
    const subject = packageName(specifier)
    if (allowed.has(subject)) return []
    const message = `imports package ${subject}: layer ${layer.name} may use ${mayUse}`
    return [{ rule: 'package', path: file.path, line, subject, message }]
  })
}

/** `kysely/migration` is of `kysely`, `@bufbuild/protobuf/wire` of `@bufbuild/protobuf`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

import { posix } from 'node:path'
import type { Breach } from './breach.ts'
import { type CodeFile, isTest } from './code-file.ts'
import { type Layers, layerName } from './layers.ts'
import { findModuleReferences, isRelative, type ModuleReference } from './module-references.ts'

/** A file imports its own layer and the layers of its row. */
export function checkImports(file: CodeFile, layers: Layers): readonly Breach[] {
  const name = layerName(file.path)
  const layer = layers.get(name ?? '')
  if (layer === undefined) {
    const message = 'is in no layer: its folder is not a row of the layer table'
    return [{ rule: 'import', path: file.path, line: 1, subject: name ?? file.path, message }]
  }
  const allowed = [layer.name, ...layer.imports]
  const mayImport = layer.imports.length > 0 ? layer.imports.join(' ') : 'no other layer'
  return findModuleReferences(file).flatMap((reference) => {
    const target = resolveTarget(file, reference)
    if (target === undefined || allowed.includes(target.layer)) return []
    const message = `imports ${target.text}: layer ${layer.name} may import ${mayImport}`
    return [{ rule: 'import', path: file.path, line: reference.line, subject: target.layer, message }]
  })
}

/** Where a reference leads, when the layer table has a say in it. */
function resolveTarget(
  file: CodeFile,
  { specifier }: ModuleReference,
): { readonly layer: string; readonly text: string } | undefined {
  if (specifier === undefined) {
    return isTest(file) ? undefined : { layer: 'computed', text: 'a module whose name is computed' }
  }
  if (!isRelative(specifier)) return undefined
  const path = posix.join(posix.dirname(file.path), specifier)
  const layer = layerName(path)
  if (layer !== undefined) return { layer, text: path.slice('src/'.length) }
  return isTest(file) ? undefined : { layer: 'outside', text: `${path}, which is in no layer` }
}

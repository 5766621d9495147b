import { readTable, splitList } from './markdown-table.ts'

/** One row of the layer table. */
export interface Layer {
  readonly name: string
  /** Layers that it may import besides itself. */
  readonly imports: readonly string[]
  readonly packages: readonly string[]
}

/** The layers by name, in the order of the table. */
export type Layers = ReadonlyMap<string, Layer>

const HEADER = ['layer', 'may import', 'packages']
const EVERY_LAYER = '*'

/**
 * Reads the layer table of ARCHITECTURE.md. Throws when there is none, and when a row names a layer that is not above
 * it: that would be a typo, or the way to a cycle.
 */
export function parseLayers(markdown: string): Layers {
  const layers = new Map<string, Layer>()
  for (const cells of readTable(markdown, HEADER)) {
    const layer = parseRow(cells, layers)
    layers.set(layer.name, layer)
  }
  return layers
}

/** The layer of a path, by the name of its folder; undefined outside the layers. */
export function layerName(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1]
}

function parseRow([name = '', imports = '', packages = '']: readonly string[], above: Layers): Layer {
  const names = imports === EVERY_LAYER ? [...above.keys()] : splitList(imports)
  const unknown = names.find((other) => !above.has(other))
  if (unknown !== undefined) throw new Error(`layer ${name} names ${unknown}, which is not a layer above it`)
  if (above.has(name)) throw new Error(`layer ${name} has two rows`)
  return { name, imports: names, packages: splitList(packages) }
}

import type { Breach } from './breach.ts'
import { checkImports } from './check-imports.ts'
import { checkName } from './check-name.ts'
import { checkPackages } from './check-packages.ts'
import { checkReserved } from './check-reserved.ts'
import { checkSize } from './check-size.ts'
import { isCode, parseCode, type TextFile } from './code-file.ts'
import type { Layers } from './layers.ts'

/** What the checks look at. */
export interface Repository {
  /** The files below src, generated code apart. */
  readonly files: readonly TextFile[]
  readonly layers: Layers
  /** Names of the packages that the product depends on. */
  readonly dependencies: readonly string[]
}

/** Every breach of every rule, exceptions not yet taken off. */
export async function findBreaches({ files, layers, dependencies }: Repository): Promise<readonly Breach[]> {
  const code = await parseCode(files.filter(isCode))
  return [
    ...files.flatMap(checkName),
    ...code.flatMap((file) => checkImports(file, layers)),
    ...code.flatMap((file) => checkPackages(file, layers, dependencies)),
    ...code.flatMap(checkReserved),
    ...code.flatMap(checkSize),
  ]
}

import type { Breach } from './breach.ts'
import { checkExports } from './check-exports.ts'
import { checkFolders, type FolderOrder } from './check-folders.ts'
import { checkImports } from './check-imports.ts'
import { checkName } from './check-name.ts'
import { checkPackages } from './check-packages.ts'
import { checkReserved } from './check-reserved.ts'
import { checkShared } from './check-shared.ts'
import { checkSize } from './check-size.ts'
import { checkTexts } from './check-texts.ts'
import { isCode, parseCode, type TextFile } from './code-file.ts'
import type { Layers } from './layers.ts'

/** The input of the checks. */
export interface Repository {
  /** The files below src, generated code apart. */
  readonly files: readonly TextFile[]
  /** The files of the console. */
  readonly client: readonly TextFile[]
  /** Tests, benchmarks and scripts, which import both. */
  readonly around: readonly TextFile[]
  readonly layers: Layers
  readonly folderOrders: readonly FolderOrder[]
  /** Names of the packages that the product depends on. */
  readonly dependencies: readonly string[]
}

/** Every breach of every rule, exceptions not yet taken off. */
export async function findBreaches(repository: Repository): Promise<readonly Breach[]> {
  const { files, client, around, layers, folderOrders, dependencies } = repository
  const [code, clientCode] = await Promise.all([parseCode(files.filter(isCode)), parseCode(client)])
  return [
    ...files.flatMap(checkName),
    ...code.flatMap((file) => checkImports(file, layers)),
    ...[...code, ...clientCode].flatMap((file) => checkFolders(file, folderOrders)),
    ...code.flatMap((file) => checkPackages(file, layers, dependencies)),
    ...code.flatMap(checkReserved),
    ...code.flatMap(checkSize),
    ...checkExports([...code, ...clientCode], [...files, ...client, ...around]),
    ...checkShared(clientCode, code),
    ...clientCode.flatMap(checkTexts),
  ]
}

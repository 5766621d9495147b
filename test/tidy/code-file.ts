import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/async'
import { createVirtualFileSystem } from 'typescript/unstable/fs'

/** A file by its path from the root of the repository, with slashes. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** A text file whose syntax is known. */
export interface CodeFile extends TextFile {
  readonly tree: SourceFile
}

// The compiler sees these files only: no library, no packages, nothing of the disk.
const CONFIG_PATH = '/tsconfig.json'
const COMPILER_OPTIONS = { allowJs: true, module: 'nodenext', noLib: true, noResolve: true, types: [] }

/** Whether a file holds code that the checks of syntax can read. */
export function isCode({ path }: TextFile): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}

/** Whether a file is a test, which may do more than the code it tests. */
export function isTest({ path }: TextFile): boolean {
  return path.endsWith('.test.ts')
}

/** The syntax trees of files, by the compiler that also checks their types. */
export async function parseCode(files: readonly TextFile[]): Promise<readonly CodeFile[]> {
  const config = { compilerOptions: COMPILER_OPTIONS, files: files.map(({ path }) => `/${path}`) }
  const disk = Object.fromEntries(files.map(({ path, text }) => [`/${path}`, text]))
  const fs = createVirtualFileSystem({ ...disk, [CONFIG_PATH]: JSON.stringify(config) })
  // The synchronous twin of this API ends its process by a signal, which the process reports on stderr.
  const api = new API({ cwd: '/', fs })
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [CONFIG_PATH] })
    const program = snapshot.getProject(CONFIG_PATH)?.program
    return await Promise.all(
      files.map(async (file) => {
        const tree = await program?.getSourceFile(`/${file.path}`)
        if (tree === undefined) throw new Error(`the compiler did not parse ${file.path}`)
        return { ...file, tree }
      }),
    )
  } finally {
    await api.close()
  }
}

/** All nodes below a node, in the order of the text. */
export function descendants(node: Node): readonly Node[] {
  const found: Node[] = []
  const visit = (child: Node): void => {
    found.push(child)
    child.forEachChild(visit)
  }
  node.forEachChild(visit)
  return found
}

/** The line of an offset in the text, counted from 1. */
export function lineAt({ tree }: CodeFile, offset: number): number {
  return tree.getLineAndCharacterOfPosition(offset).line + 1
}

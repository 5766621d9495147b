import {
  isCallExpression,
  isExportDeclaration,
  isExternalModuleReference,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNewExpression,
  isStringLiteralLikeNode,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { type CodeFile, descendants, lineAt } from './code-file.ts'

/** One place where a file names another module. */
export interface ModuleReference {
  readonly line: number
  /** As written; undefined when it is computed. */
  readonly specifier: string | undefined
  /** Whether the module is there when the code runs, or is only spoken of. */
  readonly use: 'load' | 'type'
}

const LOADERS: ReadonlySet<string> = new Set(['import', 'import.meta.resolve', 'require', 'require.resolve'])

/** Every import of a file: static, of types, re-exported, dynamic, and as the address of a worker or a process. */
export function findModuleReferences(file: CodeFile): readonly ModuleReference[] {
  return descendants(file.tree).flatMap((node) => {
    const name = moduleNameOf(node)
    if (name === undefined) return []
    const literal = isStringLiteralLikeNode(name) ? name.text : undefined
    const specifier = isNewExpression(node) ? literal && pathOfAddress(literal) : literal
    return [
      { line: lineAt(file, node.getStart(file.tree)), specifier, use: isOfTypes(node) ? 'type' : 'load' },
    ]
  })
}

/** Whether a specifier is a path from the file it stands in, and not the name of a package. */
export function isRelative(specifier: string): boolean {
  return /^\.{1,2}(\/|$)/.test(specifier)
}

/** Whether a reference is gone once types are. */
function isOfTypes(node: Node): boolean {
  if (isImportDeclaration(node)) return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword
  return isImportTypeNode(node) || (isExportDeclaration(node) && node.isTypeOnly)
}

/** The expression that names the module which this node refers to. */
function moduleNameOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier
  if (isExternalModuleReference(node)) return node.expression
  if (isImportTypeNode(node)) return isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument
  if (isCallExpression(node) && LOADERS.has(node.expression.getText())) return node.arguments[0]
  if (isNewExpression(node) && node.expression.getText() === 'URL') return moduleUrlOf(node.arguments ?? [])
  return undefined
}

/** `new URL('./x.ts', import.meta.url)` refers to a module, other addresses do not. */
function moduleUrlOf([address, base]: readonly Node[]): Node | undefined {
  return base?.getText() === 'import.meta.url' ? address : undefined
}

/** In an address, unlike in an import, `x.ts` is `./x.ts`. */
function pathOfAddress(address: string): string {
  return isRelative(address) || /^([a-z]+:|\/)/.test(address) ? address : `./${address}`
}

import {
  isClassDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isVariableStatement,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { Breach } from './breach.ts'
import { type CodeFile, isTest, lineAt, type TextFile } from './code-file.ts'

/** A value that a file exports. */
interface ExportedValue {
  readonly name: string
  readonly offset: number
}

const WORD = /[A-Za-z_$][\w$]*/g

/** A value is exported for another file that names it, a test at least; types may name what a signature needs. */
export function checkExports(files: readonly CodeFile[], readers: readonly TextFile[]): readonly Breach[] {
  const counts = countFilesByWord(readers)
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      exportedValues(file)
        .filter(({ name }) => (counts.get(name) ?? 0) < 2)
        .map(({ name, offset }) => ({
          rule: 'export' as const,
          path: file.path,
          line: lineAt(file, offset),
          subject: name,
          message: `exports ${name}, which no other file names: keep it to the file, or remove it`,
        })),
    )
}

/** In how many of the files each word occurs; a file that exports a name is one of them. */
function countFilesByWord(files: readonly TextFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of files)
    for (const word of new Set(text.match(WORD))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function exportedValues({ tree }: CodeFile): readonly ExportedValue[] {
  return tree.statements.flatMap((statement: Node) => {
    if (!isExported(statement)) return []
    return namesOf(statement).map((name) => ({ name: name.getText(), offset: name.getStart() }))
  })
}

function namesOf(statement: Node): readonly Node[] {
  if (isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name).filter(isIdentifier)
  if (!isFunctionDeclaration(statement) && !isClassDeclaration(statement)) return []
  return statement.name === undefined ? [] : [statement.name]
}

function isExported(statement: Node): boolean {
  return (
    'modifiers' in statement &&
    (statement.modifiers as readonly Node[] | undefined)?.some(
      ({ kind }) => kind === SyntaxKind.ExportKeyword,
    ) === true
  )
}

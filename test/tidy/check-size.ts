import {
  isClassStaticBlockDeclaration,
  isConstructorDeclaration,
  isFunctionLikeDeclaration,
  isPropertyAssignment,
  isPropertyDeclaration,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast'
import type { Breach } from './breach.ts'
import { type CodeFile, descendants, isTest, lineAt } from './code-file.ts'

// Above these, a file has more than one subject, and a function does not fit a screen.
const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 70

/** Files and functions are short; tests may be as long as their tables. */
export function checkSize(file: CodeFile): readonly Breach[] {
  return isTest(file) ? [] : [...checkFile(file), ...checkFunctions(file)]
}

function checkFile({ path, text }: CodeFile): readonly Breach[] {
  const lineCount = text.replace(/\n$/, '').split('\n').length
  if (lineCount <= FILE_LINES_MAX) return []
  const message = `has ${lineCount} lines: a file may have ${FILE_LINES_MAX}`
  return [{ rule: 'size', path, line: 1, subject: 'file', message }]
}

function checkFunctions(file: CodeFile): readonly Breach[] {
  return descendants(file.tree).flatMap((node) => {
    if (!isFunctionLikeDeclaration(node) && !isClassStaticBlockDeclaration(node)) return []
    const line = lineAt(file, node.getStart())
    const lineCount = lineAt(file, node.end) - line + 1
    if (lineCount <= FUNCTION_LINES_MAX) return []
    const subject = functionName(node)
    const message = `function ${subject} has ${lineCount} lines: a function may have ${FUNCTION_LINES_MAX}`
    return [{ rule: 'size', path: file.path, line, subject, message }]
  })
}

function functionName(node: Node): string {
  return ownName(node) ?? holderName(node.parent) ?? '(unnamed)'
}

function ownName(node: Node): string | undefined {
  if (isConstructorDeclaration(node)) return 'constructor'
  return isFunctionLikeDeclaration(node) && 'name' in node ? node.name?.getText() : undefined
}

/** The name of what a function expression is assigned to. */
function holderName(node: Node): string | undefined {
  const isHolder = isVariableDeclaration(node) || isPropertyAssignment(node) || isPropertyDeclaration(node)
  return isHolder ? node.name.getText() : undefined
}

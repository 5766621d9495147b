import {
  type ImportDeclaration,
  isCallExpression,
  isElementAccessExpression,
  isIdentifier,
  isImportDeclaration,
  isNamedImports,
  isNewExpression,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isStringLiteralLikeNode,
  isTemplateLiteralLikeNode,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast'
import { TENANT_TABLES } from '../../src/store/clickhouse/tenant-tables.ts'

/** Words that only their owner may use. */
export type ReservedWord =
  | 'Date.now'
  | 'new Date()'
  | 'process.env'
  | 'console'
  | 'fetch()'
  | 'FROM events'
  | 'FROM <tenant table>'
  | 'FROM <computed table>'

/** One place of a reserved word; the offset is into the text of its file. */
export interface Occurrence {
  readonly word: ReservedWord
  readonly offset: number
}

// A join reads the table as well, and ClickHouse takes any case, quotes, and the name of a database before it.
const TABLE_READS = {
  'FROM events': readOf(['events']),
  'FROM <tenant table>': readOf(Object.keys(TENANT_TABLES)),
  // A slot right after it may hold the name of any table. Capitals only: sentences have slots after "from", too.
  'FROM <computed table>': /\b(?:FROM|(?<!ARRAY )JOIN)\s+$/,
} as const satisfies Partial<Record<ReservedWord, RegExp>>

/** The reserved words that this node itself says; those below it are theirs. */
export function findReservedWords(node: Node): readonly Occurrence[] {
  const offset = node.getStart()
  if (isIdentifier(node)) return node.text === 'console' ? [{ word: 'console', offset }] : []
  if (isStringLiteralLikeNode(node) || isTemplateLiteralLikeNode(node)) return findTableReads(node)
  if (isCallExpression(node) && globalName(node.expression) === 'fetch') return [{ word: 'fetch()', offset }]
  if (isCurrentDate(node)) return [{ word: 'new Date()', offset }]
  return membersRead(node).flatMap((word) => (isReservedMember(word) ? [{ word, offset }] : []))
}

function readOf(tables: readonly string[]): RegExp {
  return new RegExp(`\\b(?:FROM|JOIN)\\s+(?:(?!system\\.)\\w+\\.)?[\`"]?(?:${tables.join('|')})\\b`, 'i')
}

function findTableReads(node: Node & { readonly text: string }): readonly Occurrence[] {
  return Object.entries(TABLE_READS).flatMap(([word, pattern]) => {
    if (!pattern.test(node.text)) return []
    // A statement may span lines; when an escape or a slot hides the match, the literal's start has to do.
    const within = node.getText().search(pattern)
    return [{ word: word as keyof typeof TABLE_READS, offset: node.getStart() + Math.max(within, 0) }]
  })
}

function isCurrentDate(node: Node): boolean {
  if (!isNewExpression(node) && !isCallExpression(node)) return false
  return globalName(node.expression) === 'Date' && (node.arguments ?? []).length === 0
}

function isReservedMember(name: string): name is 'Date.now' | 'process.env' {
  return name === 'Date.now' || name === 'process.env'
}

/** The members that a node reads, as `object.member`: accessed, destructured, or imported from `node:process`. */
function membersRead(node: Node): readonly string[] {
  if (isPropertyAccessExpression(node)) return [`${globalName(node.expression)}.${node.name.text}`]
  if (isElementAccessExpression(node) && isStringLiteralLikeNode(node.argumentExpression)) {
    return [`${globalName(node.expression)}.${node.argumentExpression.text}`]
  }
  if (isVariableDeclaration(node) && node.initializer !== undefined && isObjectBindingPattern(node.name)) {
    const object = globalName(node.initializer)
    return node.name.elements.map(
      (element) => `${object}.${(element.propertyName ?? element.name)?.getText()}`,
    )
  }
  return isImportDeclaration(node) ? membersImported(node) : []
}

function membersImported({ moduleSpecifier, importClause }: ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings
  if (!isStringLiteralLikeNode(moduleSpecifier) || bindings === undefined || !isNamedImports(bindings))
    return []
  const module = moduleSpecifier.text.replace(/^node:/, '')
  return bindings.elements.map(({ propertyName, name }) => `${module}.${(propertyName ?? name).text}`)
}

function globalName(expression: Node): string {
  return expression.getText().replace(/^globalThis\./, '')
}

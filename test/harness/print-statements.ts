import type { Statement } from '../../src/query/sql/sql.ts'

/** Longest line that is left as it is. */
const COLUMNS = 110

/** Keywords that begin a line of a statement that does not fit into one. */
const CLAUSE =
  / (?=(?:SELECT|FROM|PREWHERE|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|SETTINGS|UNION ALL|ARRAY JOIN|(?:LEFT ANY|ANY INNER|INNER) JOIN)\b)/
const ITEM = /(?<=,) | (?=(?:AND|OR) )/

/** Text, or what is between brackets. */
type Node = string | { readonly open: string; readonly nodes: readonly Node[]; readonly close: string }

/** Statements for a snapshot: a clause or an item a line where it is long, then the parameters by number. */
export function printStatements(...statements: readonly (Statement | undefined)[]): string {
  const printed = statements.filter((statement) => statement !== undefined).flatMap(printStatement)
  return ['', ...printed, ''].join('\n')
}

function printStatement({ text, params }: Statement): readonly string[] {
  const values = Object.keys(params)
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    .map(
      (name) =>
        `${name} = ${JSON.stringify(params[name], (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
    )
  return [...layOut(parse(tokensOf(text))), ...values]
}

/** Brackets, and the texts between them; literals and placeholders are whole. */
function tokensOf(text: string): string[] {
  return text.match(/'(?:[^'\\]|\\.)*'|\{[^}]*\}|[()[\]]|[^'{()[\]]+/g) ?? []
}

/** Takes the tokens up to the bracket that closes the one before them. */
function parse(tokens: string[]): readonly Node[] {
  const nodes: Node[] = []
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token === ')' || token === ']') break
    if (token === '(' || token === '[')
      nodes.push({ open: token, nodes: parse(tokens), close: token === '(' ? ')' : ']' })
    else nodes.push(token)
  }
  return nodes
}

function layOut(nodes: readonly Node[], indent = ''): readonly string[] {
  const flat = print(nodes).trim()
  if (indent.length + flat.length <= COLUMNS) return [indent + flat]
  const clauses = split(nodes, CLAUSE)
  if (clauses.length > 1) return clauses.flatMap((clause) => layOut(clause, indent))
  const [first = [], ...items] = split(nodes, ITEM)
  if (items.length === 0) return openLongest(nodes, indent)
  const isClause = /^[A-Z]{2}/.test(print(first).trim())
  const deeper = isClause ? `${indent}  ` : indent
  return [...layOut(first, indent), ...items.flatMap((item) => layOut(item, deeper))]
}

/** Puts the longest brackets of a piece on separate lines. */
function openLongest(nodes: readonly Node[], indent: string): readonly string[] {
  const lengths = nodes.map((node) => (typeof node === 'string' ? 0 : print([node]).length))
  const index = lengths.indexOf(Math.max(...lengths))
  const group = nodes[index]
  if (group === undefined || typeof group === 'string') return [indent + print(nodes).trim()]
  const [before, after] = [print(nodes.slice(0, index)), print(nodes.slice(index + 1))]
  return [
    `${indent}${before.trimStart()}${group.open}`,
    ...layOut(group.nodes, `${indent}  `),
    `${indent}${group.close}${after.trimEnd()}`,
  ]
}

/** Splits a piece where its own text, brackets apart, matches. */
function split(nodes: readonly Node[], separator: RegExp): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]]
  for (const node of nodes) {
    const isLiteral = typeof node !== 'string' || /^['{]/.test(node)
    const [first = '', ...rest] = isLiteral ? [node] : node.split(separator)
    parts.at(-1)?.push(first)
    for (const text of rest) parts.push([text])
  }
  return parts.filter((part) => print(part).trim() !== '')
}

function print(nodes: readonly Node[]): string {
  const text = nodes.map((node) =>
    typeof node === 'string' ? node : `${node.open}${print(node.nodes)}${node.close}`,
  )
  return text.join('')
}

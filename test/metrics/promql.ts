/** The metrics that an expression selects, and the labels by which it groups. */
export interface Selection {
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[]
  readonly groupedBy: readonly string[]
}

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g
const OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'])

/**
 * Finds the metrics of a PromQL expression: what is left of its names when texts, groupings, ranges, functions and
 * operators are taken away.
 */
export function selectionOf(expression: string): Selection {
  const withoutTexts = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const groupedBy = [...withoutTexts.matchAll(GROUPING)].flatMap(([, list = '']) => names(list))
  const rest = withoutTexts.replaceAll(GROUPING, ' ').replaceAll(/\[[^\]]*\]/g, ' ')
  const metrics = [...rest.matchAll(/([a-z_:][\w:]*)\s*(\{[^}]*\}|\()?/gi)]
    .filter(([, name = '', after]) => after !== '(' && !OPERATORS.has(name.toLowerCase()))
    .map(([, name = '', after = '']) => ({ name, labels: names(after.replaceAll(/[=!~]+""/g, ' ')) }))
  return { metrics, groupedBy }
}

function names(text: string): readonly string[] {
  return text.match(/[a-z_]\w*/gi) ?? []
}

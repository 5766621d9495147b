import type {
  PathAnchor as PathAnchorMessage,
  PathRule as PathRuleMessage,
} from '../../contract/gen/millrace/insights/v1/path_options_pb.js'
import { invalidSpec } from './insight-context.ts'
import { type EventMatch, parseEventFilter } from './parse-filters.ts'
import { checkRegularExpression } from './regular-expression.ts'

/** The event at which the path of a session starts or ends. */
export type PathAnchor =
  | { readonly by: 'event'; readonly match: EventMatch }
  | { readonly by: 'node'; readonly value: string }

/** A replacement of all matches in the value of a node. */
export interface PathRule {
  /** A regular expression in RE2 syntax. */
  readonly pattern: string
  /** `\0` to `\9` stand for the match and its groups, `\\` for a backslash. */
  readonly replacement: string
  /** The text that replaces an empty match; empty when there is none of either. */
  readonly inserted: string
}

const NODE_CHARACTERS_MAX = 2000
const RULES_MAX = 20
const RULE_CHARACTERS_MAX = 500

/** Parses an anchor; `undefined` without one. Throws `invalid_argument`. */
export function parseAnchor(anchor: PathAnchorMessage | undefined, field: string): PathAnchor | undefined {
  if (!anchor) return undefined
  const { match } = anchor
  if (match.case === 'event') {
    const context = { field: `spec.${field}.event`, reason: 'INVALID_INSIGHT_QUERY' } as const
    return { by: 'event', match: parseEventFilter(match.value, context) }
  }
  if (match.case !== 'node') throw invalidSpec(field, 'needs an event or a node')
  checkLength(match.value, { field: `${field}.node`, min: 1, max: NODE_CHARACTERS_MAX })
  return { by: 'node', value: match.value }
}

/** Parses the rules. Throws `invalid_argument`. */
export function parsePathRules(rules: readonly PathRuleMessage[], field: string): readonly PathRule[] {
  if (rules.length > RULES_MAX) throw invalidSpec(field, `must be at most ${RULES_MAX}`)
  return rules.map(({ pattern, replacement }, index) => {
    const rule = `${field}[${index}]`
    checkLength(pattern, { field: `${rule}.pattern`, min: 1, max: RULE_CHARACTERS_MAX })
    checkLength(replacement, { field: `${rule}.replacement`, min: 0, max: RULE_CHARACTERS_MAX })
    const checked = checkRegularExpression(pattern)
    if ('problem' in checked) throw invalidSpec(`${rule}.pattern`, checked.problem)
    checkReplacement(replacement, { field: `${rule}.replacement`, groups: checked.groups })
    return { pattern, replacement, inserted: checked.matchesEmpty ? withoutGroups(replacement) : '' }
  })
}

/** All groups of an empty match are empty. */
function withoutGroups(replacement: string): string {
  return replacement.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === '\\' ? escaped : ''))
}

function checkLength(
  text: string,
  { field, min, max }: { readonly field: string; readonly min: number; readonly max: number },
): void {
  const { length } = [...text]
  if (length < min) throw invalidSpec(field, 'is required')
  if (length > max) throw invalidSpec(field, `must have at most ${max} characters`)
}

/** A backslash is followed by the number of a group or by a backslash. */
function checkReplacement(
  replacement: string,
  { field, groups }: { readonly field: string; readonly groups: number },
): void {
  for (const [, escaped = ''] of replacement.matchAll(/\\(.?)/gsu)) {
    if (!/^[0-9\\]$/.test(escaped))
      throw invalidSpec(field, 'must have a digit or a backslash after each backslash')
    if (escaped !== '\\' && Number(escaped) > groups) {
      throw invalidSpec(field, `names group ${escaped} of a pattern with ${groups}`)
    }
  }
}

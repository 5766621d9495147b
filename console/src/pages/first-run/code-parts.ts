/** What a part of a line of code is, in any of the languages of the samples. */
type CodeRole = 'comment' | 'text' | 'tag' | 'name' | 'keyword'

/** A part of a line of code; without a role it has the colour of the rest. */
export interface CodePart {
  readonly text: string
  readonly role?: CodeRole
}

const PATTERNS = {
  comment: '(?<=^|\\s)(?:#|//|<!--).*',
  text: `"[^"]*"|'[^']*'|\`[^\`]*\``,
  tag: '(?<=</?)[A-Za-z][\\w.]*',
  name: '\\b[\\w-]+(?==["{])',
  keyword: '\\b(?:await|const|from|import|new|return)\\b',
} as const satisfies Record<CodeRole, string>

const ROLES = Object.keys(PATTERNS) as CodeRole[]
const ANY = new RegExp(ROLES.map((role) => `(?<${role}>${PATTERNS[role]})`).join('|'), 'g')

/** The parts of a line of code, in their order. Texts that go on in the next line have no role. */
export function partsOfCode(line: string): readonly CodePart[] {
  const parts: CodePart[] = []
  let end = 0
  for (const { 0: text, index, groups = {} } of line.matchAll(ANY)) {
    const role = ROLES.find((name) => groups[name] !== undefined)
    if (index > end) parts.push({ text: line.slice(end, index) })
    parts.push(role ? { text, role } : { text })
    end = index + text.length
  }
  if (end < line.length) parts.push({ text: line.slice(end) })
  return parts
}

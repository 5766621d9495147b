import MarkdownIt from 'markdown-it'

/** A heading of a page. */
export interface Heading {
  readonly level: number
  /** Its text without marks. */
  readonly text: string
  /** The fragment of a link to it, as code hosts form it. */
  readonly anchor: string
}

/** The anchors of a page, and its own references. */
export interface Outline {
  readonly headings: readonly Heading[]
  /** Targets of links and images, as they are written. */
  readonly targets: readonly string[]
}

const markdown = new MarkdownIt({ html: true })

type Token = ReturnType<typeof markdown.parse>[number]

/** Reads the headings and links of a page of Markdown. */
export function readOutline(text: string): Outline {
  const tokens = markdown.parse(text, {})
  return {
    headings: readHeadings(tokens),
    targets: tokens.flatMap(({ children }) => readTargets(children ?? [])),
  }
}

/** The anchor of a heading: lower case, without punctuation, blanks as hyphens. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function readHeadings(tokens: readonly Token[]): readonly Heading[] {
  const headings: Heading[] = []
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = plainText(tokens[index + 1]?.children ?? [])
    const plain = anchorOf(text)
    const count = counts.get(plain) ?? 0
    counts.set(plain, count + 1)
    const anchor = count === 0 ? plain : `${plain}-${count}`
    headings.push({ level: Number(token.tag.slice(1)), text, anchor })
  }
  return headings
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('')
}

const TARGETS: Readonly<Record<string, string>> = { link_open: 'href', image: 'src' }

function readTargets(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => {
    const name = TARGETS[token.type]
    return name === undefined ? [] : [String(token.attrGet(name) ?? '')]
  })
}

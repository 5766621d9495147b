import MarkdownIt from 'markdown-it'

/** A heading of a page. */
export interface Heading {
  readonly level: number
  /** Its text without marks. */
  readonly text: string
  /** What a link to it ends in, the way code hosts name it. */
  readonly anchor: string
}

/** Rewrites the target of a link or an image; `undefined` leaves the text without a link. */
export type RewriteTarget = (target: string) => string | undefined

/** A page as HTML, with what is to be known of it. */
export interface RenderedMarkdown {
  readonly html: string
  readonly headings: readonly Heading[]
  /** Targets of links and images, as they are written. */
  readonly targets: readonly string[]
}

// Pages are our own: HTML in them (comments, <br>) is meant.
const markdown = new MarkdownIt({ html: true })

type Token = ReturnType<typeof markdown.parse>[number]

/** Renders Markdown: headings get anchors, links the targets that `rewrite` gives them. */
export function renderMarkdown(text: string, rewrite: RewriteTarget): RenderedMarkdown {
  const tokens = markdown.parse(text, {})
  const headings = anchorHeadings(tokens)
  const targets = tokens.flatMap((token) => rewriteTargets(token.children ?? [], rewrite))
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return { html: labelScrolling(html), headings, targets }
}

/** The anchor of a heading: lower case, without punctuation, blanks as hyphens. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function anchorHeadings(tokens: readonly Token[]): readonly Heading[] {
  const headings: Heading[] = []
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = plainText(tokens[index + 1]?.children ?? [])
    const plain = anchorOf(text)
    const count = counts.get(plain) ?? 0
    counts.set(plain, count + 1)
    const anchor = count === 0 ? plain : `${plain}-${count}`
    token.attrSet('id', anchor)
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

function rewriteTargets(tokens: readonly Token[], rewrite: RewriteTarget): readonly string[] {
  const open: boolean[] = []
  return tokens.flatMap((token) => {
    // A link that leads nowhere on the site stays as text.
    if (token.type === 'link_close' && open.pop() === false) token.tag = 'span'
    const name = TARGETS[token.type]
    if (name === undefined) return []
    const target = String(token.attrGet(name) ?? '')
    const rewritten = rewrite(target)
    if (rewritten !== undefined) token.attrSet(name, rewritten)
    if (token.type === 'link_open') {
      open.push(rewritten !== undefined)
      if (rewritten === undefined) {
        token.tag = 'span'
        token.attrs = null
      }
    }
    return [target]
  })
}

/** Whatever may scroll can be reached and scrolled by keyboard. */
function labelScrolling(html: string): string {
  return html
    .replaceAll('<table>', '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}

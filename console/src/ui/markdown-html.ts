import MarkdownIt from 'markdown-it'

/** A tile stands below the page's and its own title, so its headings begin at the third level. */
const HEADING_LEVELS_ABOVE = 2
const HEADING_LEVEL_MAX = 6

const LINK = /^(?:https?:|mailto:)/i

/** No tables: a short text could create tens of thousands of cells. Raw HTML is shown as written. */
const markdown = new MarkdownIt('commonmark', { html: false, maxNesting: 20 }).enable('strikethrough')

type Token = ReturnType<typeof markdown.parse>[number]

// Everything else stays as it is written: no address that runs something or leads into the console.
markdown.validateLink = (address) => LINK.test(address.trim())

/** The HTML of a text in Markdown. The page takes it through a sanitiser nevertheless. */
export function renderMarkdown(text: string): string {
  const tokens = markdown.parse(text, {})
  for (const token of tokens) {
    lowerHeading(token)
    token.children?.forEach(adaptInline)
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}

function lowerHeading(token: Token): void {
  if (token.type !== 'heading_open' && token.type !== 'heading_close') return
  const level = Math.min(HEADING_LEVEL_MAX, Number(token.tag.slice(1)) + HEADING_LEVELS_ABOVE)
  token.tag = `h${level}`
}

function adaptInline(token: Token): void {
  if (token.type === 'link_open') {
    token.attrSet('target', '_blank')
    token.attrSet('rel', 'noopener noreferrer')
  }
}

// An image would disclose the reader of the tile to another site, and the content security policy blocks it: its text is shown.
markdown.renderer.rules.image = (tokens, index, options, env, renderer) =>
  markdown.utils.escapeHtml(renderer.renderInlineAsText(tokens[index]?.children ?? [], options, env))

/** The elements that mails of reports have; of others only the content is drawn. */
const TAGS: readonly string[] = [
  ...['A', 'BR', 'DIV', 'EM', 'H1', 'H2', 'H3', 'IMG', 'LI', 'OL', 'P', 'SPAN', 'STRONG', 'UL'],
  ...['TABLE', 'TBODY', 'TD', 'TFOOT', 'TH', 'THEAD', 'TR'],
]

const ATTRIBUTES: readonly string[] = [
  ...['align', 'alt', 'class', 'colspan', 'href', 'role', 'scope', 'src', 'valign', 'width'],
  ...['cellpadding', 'cellspacing'],
]

/** Where addresses of links and pictures lead. */
const ADDRESSES = { href: /^https?:/, src: /^data:image\/png;/ } as const

/**
 * Draws the HTML of a mail in an element of the document, apart from the styles of the page. The policy of the page allows no inline
 * style, so styles are set one by one; scripts, and other elements that a mail cannot have, are left out.
 */
export function drawMail(host: HTMLElement, html: string): void {
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? []
  const inert = html.replace(/<style>[^<]*<\/style>/, '').replaceAll(' style="', ' data-style="')
  const { body } = new DOMParser().parseFromString(inert, 'text/html')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  const page = document.createElement('div')
  copyLook(body, page)
  copyContent(body, page)
  root.append(page)
}

function copyContent(from: Element, to: HTMLElement): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.append(node.data)
    if (!(node instanceof Element)) continue
    if (node.tagName === 'SCRIPT' || node.tagName === 'STYLE') continue
    const target = TAGS.includes(node.tagName) ? document.createElement(node.tagName) : to
    if (target !== to) {
      copyLook(node, target)
      to.append(target)
    }
    copyContent(node, target)
  }
}

function copyLook(from: Element, to: HTMLElement): void {
  for (const { name, value } of from.attributes) {
    const address = name === 'href' || name === 'src' ? ADDRESSES[name] : undefined
    if (ATTRIBUTES.includes(name) && address?.test(value) !== false) to.setAttribute(name, value)
  }
  const style = from.getAttribute('data-style')
  if (style !== null) to.style.cssText = style
  if (to instanceof HTMLAnchorElement) {
    to.target = '_blank'
    to.rel = 'noopener'
  }
}

/** A shared dashboard, as far as its addresses name it. */
export interface SharedBoard {
  /** The origin of the service, such as `https://analytics.example.org`. */
  readonly origin: string
  /** Empty while it is not shared. */
  readonly shareId: string
}

/** The public link of a dashboard; empty while it is not shared. */
export function shareLink({ origin, shareId }: SharedBoard): string {
  return shareId === '' ? '' : `${origin}/share/${shareId}`
}

/** The HTML that shows a shared dashboard in a page of another site. */
export function embedCode({ origin, shareId, name }: SharedBoard & { readonly name: string }): string {
  const address = escapeAttribute(`${origin}/embed/${shareId}`)
  const style = 'width: 100%; height: 800px; border: 0'
  return `<iframe src="${address}" title="${escapeAttribute(name)}" loading="lazy" style="${style}"></iframe>`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => ESCAPES[character] ?? character)
}

import DOMPurify from 'dompurify'
import { createRenderEffect, type JSX } from 'solid-js'
import { renderMarkdown } from './markdown-html.ts'

/** The elements that the renderer writes. */
const ALLOWED_TAGS = [
  ...['a', 'blockquote', 'br', 'code', 'em', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre', 's'],
  ...['strong', 'ul'],
]
const ALLOWED_ATTR = ['href', 'rel', 'start', 'target', 'title']

/** The sanitiser treats the value of any other attribute as a URL. */
const NO_ADDRESSES = ['rel', 'start', 'target']

const LINK = /^(?:https?:|mailto:)/i

/** A Markdown text. The module loads with the first one. */
export function Markdown(props: { readonly text: string }): JSX.Element {
  const box = document.createElement('div')
  box.className = 'markdown'
  createRenderEffect(() => {
    const fragment = DOMPurify.sanitize(renderMarkdown(props.text), {
      ALLOWED_TAGS,
      ALLOWED_ATTR,
      ALLOWED_URI_REGEXP: LINK,
      ADD_URI_SAFE_ATTR: NO_ADDRESSES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    })
    box.replaceChildren(fragment)
  })
  return box
}

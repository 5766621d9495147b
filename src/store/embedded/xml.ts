/** A configuration element: text, a number, a flag, nested elements, or the same element several times. */
export type XmlValue = string | number | boolean | XmlElements | readonly XmlValue[]

/** Elements by name, in the order in which they are written. */
export type XmlElements = { readonly [name: string]: XmlValue }

/** Writes elements as XML text below one `<clickhouse>` root; text is escaped, names are taken as they are. */
export function renderConfig(elements: XmlElements): string {
  return `<clickhouse>\n${renderElements(elements, '  ')}</clickhouse>\n`
}

function renderElements(elements: XmlElements, indent: string): string {
  return Object.entries(elements)
    .map(([name, value]) => renderElement(name, value, indent))
    .join('')
}

function renderElement(name: string, value: XmlValue, indent: string): string {
  if (isList(value)) return value.map((one) => renderElement(name, one, indent)).join('')
  if (typeof value !== 'object') return `${indent}<${name}>${escapeText(String(value))}</${name}>\n`
  return `${indent}<${name}>\n${renderElements(value, `${indent}  `)}${indent}</${name}>\n`
}

// Array.isArray does not narrow a readonly array out of a union.
function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value)
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

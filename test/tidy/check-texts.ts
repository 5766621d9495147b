import {
  isJsxAttribute,
  isJsxElement,
  isJsxText,
  isStringLiteralLikeNode,
  isTemplateLiteralLikeNode,
  type Node,
} from 'typescript/unstable/ast'
import type { Breach } from './breach.ts'
import { type CodeFile, descendants, isTest, lineAt } from './code-file.ts'

/** Attributes that people read or listen to. */
const TEXT_ATTRIBUTES = [
  'aria-label',
  'aria-description',
  'alt',
  'data-tip',
  'hint',
  'label',
  'placeholder',
  'title',
]

/** Elements that hold names of keys and code, which no language translates. */
const UNTRANSLATED = ['code', 'kbd']

/** The messages themselves, and the gallery, which only developers open. */
const ELSEWHERE = ['console/src/i18n/', 'console/src/gallery/']

/** Code of pages, and of calls, where a sentence is a text even outside JSX. */
const PAGES = /^console\/src\/(pages|dashboards|insights|people|rpc)\/|\.tsx$/

const WORD = /\p{Ll}{2}/u
/** An address, a host or a path, as an example. */
const ADDRESS = /^\S*[./@]\S*$/
const CAPITALISED = /^\p{Lu}\p{Ll}/u
const SENTENCE = /^\p{Lu}\p{Ll}* \S/u

/** The console writes its texts as messages, so that each of its languages has them. */
export function checkTexts(file: CodeFile): readonly Breach[] {
  const isElsewhere = ELSEWHERE.some((folder) => file.path.startsWith(folder))
  if (isElsewhere || isTest(file)) return []
  return descendants(file.tree).flatMap((node) => {
    const subject = textOf(node, file.path)
    if (subject === undefined) return []
    const message = `has the text ‘${subject}’: make it a message of console/src/i18n`
    return [{ rule: 'text' as const, path: file.path, line: lineAt(file, node.getStart()), subject, message }]
  })
}

/** The text that a node itself writes into a page. */
function textOf(node: Node, path: string): string | undefined {
  if (isJsxText(node)) {
    const text = node.text.replaceAll(/&\w+;/g, '').trim()
    return WORD.test(text) && !isUntranslated(node.parent) ? text : undefined
  }
  if (!isStringLiteralLikeNode(node) && !isTemplateLiteralLikeNode(node)) return undefined
  const attribute = isJsxAttribute(node.parent) ? node.parent.name.getText() : undefined
  const isText =
    attribute === undefined
      ? PAGES.test(path) && SENTENCE.test(node.text)
      : CAPITALISED.test(node.text) ||
        (TEXT_ATTRIBUTES.includes(attribute) && WORD.test(node.text) && !ADDRESS.test(node.text))
  return isText ? node.text : undefined
}

function isUntranslated(parent: Node): boolean {
  return isJsxElement(parent) && UNTRANSLATED.includes(parent.openingElement.tagName.getText())
}

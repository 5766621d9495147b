/** A fenced block of a page, and its action. */
export interface Snippet {
  /** Path of the page from the root of the repository. */
  readonly page: string
  /** Line of its first fence, from 1. */
  readonly line: number
  readonly language: string
  readonly mode: Mode
  readonly text: string
}

/** The action of a block, from its info string. */
export type Mode =
  /** Only shown: text, configuration of other programs. */
  | { readonly kind: 'show' }
  /** `skip reason="..."`: a command that no test can run, and why. */
  | { readonly kind: 'skip'; readonly reason: string }
  /** `run`: one shell carries on through the blocks of a page. */
  | { readonly kind: 'run' }
  /** `run=service`: starts the service that everything else runs against. */
  | { readonly kind: 'service' }
  /** `run-by=<test>`: another test runs it. */
  | { readonly kind: 'run-by'; readonly test: string }
  /** `request=<service>/<method>`: sent with a key of the project. */
  | { readonly kind: 'request'; readonly call: string }
  /** `response`: what the block before answers has this; `…` stands for any text. */
  | { readonly kind: 'response' }

/** Languages of blocks that a test runs or that say why not. */
const RUNNABLE: ReadonlySet<string> = new Set(['sh', 'bash', 'json', 'ts'])

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/

/** The fenced blocks of a page, in order. Throws, with the line, for a block without an action. */
export function readSnippets(page: string, text: string): readonly Snippet[] {
  const snippets: Snippet[] = []
  let open:
    | { readonly line: number; readonly fence: string; readonly info: string; lines: string[] }
    | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', fence = '', info = ''] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (fence !== '') open = { line: index + 1, fence: indent + fence, info: info.trim(), lines: [] }
    } else if (indent + fence === open.fence && info.trim() === '') {
      snippets.push(parseSnippet(page, open))
      open = undefined
    } else open.lines.push(line)
  }
  if (open !== undefined) throw new Error(`${page}:${open.line}: the block has no end`)
  return snippets
}

function parseSnippet(
  page: string,
  { line, info, lines }: { readonly line: number; readonly info: string; readonly lines: readonly string[] },
): Snippet {
  const [language = '', ...rest] = info.split(' ')
  const mode = parseMode(language, rest.join(' '))
  if (mode === undefined) throw new Error(`${page}:${line}: "${info}" does not say whether the block is run`)
  return { page, line, language, mode, text: lines.join('\n') }
}

function parseMode(language: string, words: string): Mode | undefined {
  if (language === '') return undefined
  if (!RUNNABLE.has(language)) return words === '' ? { kind: 'show' } : undefined
  if (words === 'run') return language === 'json' ? undefined : { kind: 'run' }
  if (words === 'run=service') return language === 'json' ? undefined : { kind: 'service' }
  if (words === 'response') return language === 'json' ? { kind: 'response' } : undefined
  const [, name, value = ''] = /^(skip reason|run-by|request)="?([^"]+)"?$/.exec(words) ?? []
  if (name === 'skip reason') return { kind: 'skip', reason: value }
  if (name === 'run-by') return { kind: 'run-by', test: value }
  return name === 'request' && language === 'json' ? { kind: 'request', call: value } : undefined
}

import { For, type JSX, Match, Switch } from 'solid-js'

type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'paragraph'; readonly text: string }

/** The part of Markdown that tiles need: headings, lists, bold, code and links. It becomes elements and never HTML text. */
export function Markdown(props: { readonly text: string }): JSX.Element {
  return (
    <div class="markdown">
      <For each={parseBlocks(props.text)}>
        {(block) => (
          <Switch>
            <Match when={block.kind === 'heading' && block}>
              {(heading) => <h3>{inline(heading().text)}</h3>}
            </Match>
            <Match when={block.kind === 'list' && block}>
              {(list) => (
                <ul>
                  <For each={list().items}>{(item) => <li>{inline(item)}</li>}</For>
                </ul>
              )}
            </Match>
            <Match when={block.kind === 'paragraph' && block}>{(text) => <p>{inline(text().text)}</p>}</Match>
          </Switch>
        )}
      </For>
    </div>
  )
}

function parseBlocks(text: string): readonly Block[] {
  return text.split(/\n{2,}|\n(?=#)|(?<=^#.*)\n/m).flatMap((part): Block[] => {
    const trimmed = part.trim()
    if (trimmed === '') return []
    const heading = /^#{1,6}\s+(.*)$/.exec(trimmed)
    if (heading) return [{ kind: 'heading', text: heading[1] ?? '' }]
    const lines = trimmed.split('\n')
    const isList = lines.every((line) => /^\s*[-*]\s+/.test(line))
    if (isList) return [{ kind: 'list', items: lines.map((line) => line.replace(/^\s*[-*]\s+/, '')) }]
    return [{ kind: 'paragraph', text: trimmed }]
  })
}

/** Links lead to web pages only: no address that would run something. */
function inline(text: string): JSX.Element {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\(https?:\/\/[^\s)]+\))/)
  return (
    <For each={parts}>
      {(part) => {
        const [, label, address] = /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)$/.exec(part) ?? []
        if (label !== undefined && address !== undefined) {
          return (
            <a href={address} target="_blank" rel="noopener noreferrer">
              {label}
            </a>
          )
        }
        if (/^\*\*.+\*\*$/.test(part)) return <strong>{part.slice(2, -2)}</strong>
        return /^`.+`$/.test(part) ? <code>{part.slice(1, -1)}</code> : part
      }}
    </For>
  )
}

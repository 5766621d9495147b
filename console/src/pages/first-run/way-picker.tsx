import CircleCheck from 'lucide-solid/icons/circle-check'
import CodeXml from 'lucide-solid/icons/code-xml'
import Package from 'lucide-solid/icons/package'
import Repeat from 'lucide-solid/icons/repeat-2'
import Server from 'lucide-solid/icons/server'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import { createUniqueId, For, type JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { WAYS, type Way } from './ways.ts'

interface WayCard {
  readonly icon: () => JSX.Element
  readonly title: () => string
  readonly hint: () => string
}

const CARDS: Readonly<Record<Way, WayCard>> = {
  snippet: {
    icon: () => <CodeXml size={16} />,
    title: () => t('firstRun.snippet'),
    hint: () => t('firstRun.snippetHint'),
  },
  npm: {
    icon: () => <Package size={16} />,
    title: () => t('firstRun.npm'),
    hint: () => t('firstRun.npmHint'),
  },
  sdk: {
    icon: () => <Repeat size={16} />,
    title: () => t('firstRun.sdk'),
    hint: () => t('firstRun.sdkHint'),
  },
  server: {
    icon: () => <Server size={16} />,
    title: () => t('firstRun.server'),
    hint: () => t('firstRun.serverHint'),
  },
  curl: { icon: () => <SquareTerminal size={16} />, title: () => 'curl', hint: () => t('firstRun.curlHint') },
}

/** The ways to send as cards, of which one is chosen. */
export function WayPicker(props: {
  readonly value: Way
  readonly onChange: (way: Way) => void
}): JSX.Element {
  const name = createUniqueId()
  return (
    <div class="first-run-ways" role="radiogroup" aria-label={t('firstRun.choose')}>
      <For each={WAYS}>
        {(way) => (
          <label class="first-run-way">
            <input
              type="radio"
              name={name}
              checked={props.value === way}
              onChange={() => props.onChange(way)}
            />
            <span class="first-run-way-icons">
              {CARDS[way].icon()}
              <CircleCheck size={16} class="first-run-way-tick" />
            </span>
            <strong>{CARDS[way].title()}</strong>
            <span class="first-run-hint">{CARDS[way].hint()}</span>
          </label>
        )}
      </For>
    </div>
  )
}

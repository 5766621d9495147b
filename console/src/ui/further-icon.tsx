import Unknown from 'lucide-solid/icons/circle-question-mark'
import Compass from 'lucide-solid/icons/compass'
import GameConsole from 'lucide-solid/icons/gamepad-2'
import Globe from 'lucide-solid/icons/globe'
import Watch from 'lucide-solid/icons/watch'
import { type JSX, Match, Switch } from 'solid-js'

/** Paths of 24 by 24 px, outlines like the other icons. */
const OUTLINES = {
  chrome:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z M15.6 12a3.6 3.6 0 1 1-7.2 0 3.6 3.6 0 0 1 7.2 0Z M12 8.4h8.2 M15.1 13.8 11 20.9 M8.9 13.8 4.8 6.7',
  firefox:
    'M4.6 7.2C5.4 5.6 6.5 4.6 7 4c.2 1.3.9 2.1 2 2.5C10 4.5 11.5 3.4 13.6 3c-.2 2 .5 3 2 4 2.9 1.7 5.1 3.2 5.1 6.3A8.7 8.7 0 0 1 3.3 13c0-2.1.4-4 1.3-5.8Z M7.4 11.5c1.5-1.4 3.5-1.2 4.6.3-1.4.2-2 .8-2 1.7 0 1.3 1.2 2.1 2.7 2.1 2 0 3.5-1.4 3.6-3.6',
  edge: 'M3 13.2C3 7.7 7 3.5 12.1 3.5c5 0 8.9 3.3 8.9 7.5 0 2.6-2 4.4-4.7 4.4-1.6 0-2.6-.6-2.6-1.5 0-.7.6-1 .6-2.1 0-1.5-1.4-2.6-3.1-2.6-2.7 0-4.7 2.2-4.7 5.1 0 3.6 2.9 6.2 6.7 6.2 2.3 0 4.1-.8 5.6-2.3 M3 13.2c.9-2.8 3.3-4.5 6.6-4.3',
  opera:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z M15.6 12c0 3.5-1.5 6.2-3.6 6.2S8.4 15.5 8.4 12 9.9 5.8 12 5.8s3.6 2.7 3.6 6.2Z',
  samsung:
    'M18 12a6 6 0 1 1-12 0 6 6 0 0 1 12 0Z M7 15.4c-3.1 2.4-4.9 4.5-4.3 5.3.9 1.1 6-1.9 11.4-6.7s9-9.5 8.1-10.6c-.7-.8-3.3.6-6.6 3',
  brave: 'M12 2.8 16.5 4l2.8 3.6-1.6 8.2L12 21.2l-5.7-5.4L4.7 7.6 7.5 4 12 2.8Z M8.8 10.5 12 14.8l3.2-4.3',
  apple:
    'M12.3 8.4c.9-.6 1.9-1 3-1 1.6 0 3 .8 3.9 2-2.9 1.7-2.4 5.7.6 6.9-1 2.5-2.6 4.7-4.4 4.7-1.1 0-1.7-.7-2.9-.7s-1.9.7-3 .7c-2.4 0-4.9-4.4-4.9-8.1 0-3.4 2.1-5.5 4.4-5.5 1.2 0 2.3.7 3.3 1Z M12.3 6.3c0-1.9 1.3-3.3 3.2-3.5',
  windows:
    'M3.5 5.9 11 4.9v6.6H3.5V5.9Z M13.5 4.6l7-1v7.9h-7V4.6Z M3.5 14H11v6.6l-7.5-1V14Z M13.5 14h7v7.9l-7-1V14Z',
  android: 'M3.5 18a8.5 8.5 0 0 1 17 0h-17Z M7.6 10.7 5.6 7.3 M16.4 10.7l2-3.4 M8.5 14.5h.01 M15.5 14.5h.01',
  linux:
    'M12 3c2 0 3 1.6 3 3.8 0 3.2 4 5.7 4 10.4 0 2.3-2.9 3.8-7 3.8s-7-1.5-7-3.8C5 12.5 9 10 9 6.8 9 4.6 10 3 12 3Z M10.3 8.6 12 9.8l1.7-1.2 M8.4 20.2c-.3-3.6 1-6.9 3.6-6.9s3.9 3.3 3.6 6.9',
} as const

/** The drawing of a browser or a system, by the first pattern that its name matches. */
const DRAWN: readonly (readonly [RegExp, keyof typeof OUTLINES])[] = [
  [/edge|explorer/i, 'edge'],
  [/opera/i, 'opera'],
  [/samsung/i, 'samsung'],
  [/brave/i, 'brave'],
  [/firefox|focus/i, 'firefox'],
  [/chrom/i, 'chrome'],
  [/^(mac|ios|ipados|tvos|watchos)/i, 'apple'],
  [/windows/i, 'windows'],
  [/android/i, 'android'],
  [/linux|ubuntu|debian|fedora/i, 'linux'],
]

/** The icon of a browser, a system or a rare type of devices; a globe for one without a drawing. */
export function FurtherIcon(props: { readonly value: string }): JSX.Element {
  const drawn = () => DRAWN.find(([pattern]) => pattern.test(props.value))?.[1]
  return (
    <Switch fallback={<Globe />}>
      <Match when={props.value === ''}>
        <Unknown />
      </Match>
      <Match when={props.value === 'console'}>
        <GameConsole />
      </Match>
      <Match when={props.value === 'wearable'}>
        <Watch />
      </Match>
      <Match when={drawn()}>{(name) => <Outline paths={OUTLINES[name()]} />}</Match>
      <Match when={/safari/i.test(props.value)}>
        <Compass />
      </Match>
    </Switch>
  )
}

function Outline(props: { readonly paths: string }): JSX.Element {
  return (
    <svg
      class="lucide-icon"
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={props.paths} />
    </svg>
  )
}

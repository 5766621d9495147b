import { generate } from 'lean-qr'
import type { JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'

/** Readers need a margin of this many modules (ISO/IEC 18004). */
const MARGIN = 4

/** The dark modules as squares of one path. */
function pathOf(code: ReturnType<typeof generate>): string {
  const squares: string[] = []
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) squares.push(`M${x} ${y}h1v1h-1z`)
  return squares.join('')
}

/** A text as a QR code, dark on light in both themes: readers expect it. */
export function QrCode(props: { readonly text: string }): JSX.Element {
  const code = () => generate(props.text)
  const side = (): number => code().size + 2 * MARGIN
  return (
    <svg
      class="second-factor-qr"
      role="img"
      aria-label={t('secondFactor.qr')}
      viewBox={`${-MARGIN} ${-MARGIN} ${side()} ${side()}`}
      shape-rendering="crispEdges"
    >
      <path d={pathOf(code())} />
    </svg>
  )
}

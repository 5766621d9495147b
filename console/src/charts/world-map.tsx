import { WORLD } from 'virtual:world'
import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { formatCountry, formatShare } from '../app/format.ts'
import type { Looks } from '../insight/looks.ts'
import { rowLabel } from '../insight/table.ts'
import { describeChange } from './number-card.tsx'
import { formatTick, formatValue, type Unit } from './unit.ts'

/** Shades of the map; more could not be told apart. */
const STEPS = 5

const DRAWN: ReadonlySet<string> = new Set(WORLD.countries.map(([code]) => code))

interface Country {
  readonly code: string
  readonly name: string
  readonly value: number
  readonly note: string
}

/** Countries by colour, with the same as a list beside: small ones are not on the map. */
export function WorldMap(props: {
  readonly top: TopKResult
  readonly before: TopKResult | undefined
  readonly looks: Looks
}): JSX.Element {
  const countries = createMemo(() => readCountries(props.top, props.before, props.looks))
  const [chosen, setChosen] = createSignal<string>()
  const max = (): number => Math.max(0, ...countries().map(({ value }) => value))
  const step = (by: number): void => {
    const at = countries().findIndex(({ code }) => code === chosen())
    const next = Math.min(countries().length - 1, Math.max(0, at + by))
    setChosen(countries()[next]?.code)
  }
  const spoken = (): string => {
    const country = countries().find(({ code }) => code === chosen())
    if (country) return `${country.name}: ${formatValue(country.value, props.looks.unit)}${country.note}`
    return chosen() === undefined
      ? 'Point at a country, or use the arrow keys'
      : `${formatCountry(chosen() ?? '')}: none`
  }
  return (
    <div class="world">
      <div class="world-map">
        <Outlines countries={countries()} max={max()} chosen={chosen()} onChoose={setChosen} onStep={step} />
        <p class="small world-spoken" aria-live="polite">
          {spoken()}
        </p>
        <Legend max={max()} unit={props.looks.unit} />
      </div>
      <CountryTable countries={countries()} unit={props.looks.unit} chosen={chosen()} />
    </div>
  )
}

function readCountries(
  top: TopKResult,
  before: TopKResult | undefined,
  { unit, shares }: Looks,
): readonly Country[] {
  const total = top.rows.reduce((sum, { value }) => sum + value, 0)
  return top.rows.map((row) => {
    const { dimensionValue: code, value } = row
    const was = before?.rows.find((other) => other.dimensionValue === code)?.value
    const change = was === undefined ? '' : `, ${describeChange(value, was, unit)}`
    const share = shares === 'shown' && total > 0 ? ` (${formatShare(value / total)})` : ''
    const note = `${share}${change}`
    return { code, name: formatCountry(rowLabel(row)), value, note }
  })
}

const STEPS_OF_KEY: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function Outlines(props: {
  readonly countries: readonly Country[]
  readonly max: number
  readonly chosen: string | undefined
  readonly onChoose: (code: string | undefined) => void
  readonly onStep: (by: number) => void
}): JSX.Element {
  const shades = createMemo(
    () => new Map(props.countries.map(({ code, value }) => [code, shadeOf(value, props.max)])),
  )
  const point = (event: Event): void => {
    const code = event.target instanceof SVGPathElement ? event.target.dataset.code : undefined
    props.onChoose(code === '' ? undefined : code)
  }
  return (
    <section
      class="world-outlines"
      tabindex="0"
      aria-label="World map; the arrow keys go through the countries from high to low"
      onKeyDown={(event) => {
        const by = STEPS_OF_KEY[event.key]
        if (by === undefined) return
        event.preventDefault()
        props.onStep(by)
      }}
    >
      <svg
        viewBox={`0 0 ${WORLD.width} ${WORLD.height}`}
        aria-hidden="true"
        onPointerMove={point}
        onPointerLeave={() => props.onChoose(undefined)}
      >
        <For each={WORLD.countries}>
          {([code, path]) => (
            <path
              d={path}
              data-code={code}
              class={`shade-${shades().get(code) ?? 0}`}
              classList={{ chosen: code !== '' && code === props.chosen }}
            />
          )}
        </For>
      </svg>
    </section>
  )
}

/** 1 to 5 for what there is, by the root of its share: else all but the first country would look the same. */
function shadeOf(value: number, max: number): number {
  if (value <= 0 || max <= 0) return 0
  return Math.max(1, Math.ceil(Math.sqrt(value / max) * STEPS))
}

function Legend(props: { readonly max: number; readonly unit: Unit }): JSX.Element {
  // Between whole numbers there is nothing to count, unless there are few of them.
  const boundOf = (shade: number): number => {
    const bound = props.max * (shade / STEPS) ** 2
    return props.max >= STEPS ** 2 ? Math.floor(bound) : bound
  }
  return (
    <ul class="legend world-legend">
      <For each={Array.from({ length: STEPS }, (_, index) => index + 1)}>
        {(shade) => (
          <li>
            <svg class="world-swatch" viewBox="0 0 10 10" aria-hidden="true">
              <path class={`shade-${shade}`} d="M0 0H10V10H0Z" />
            </svg>
            {`up to ${formatTick(boundOf(shade), props.unit)}`}
          </li>
        )}
      </For>
    </ul>
  )
}

function CountryTable(props: {
  readonly countries: readonly Country[]
  readonly unit: Unit
  readonly chosen: string | undefined
}): JSX.Element {
  const hidden = (): number => props.countries.filter(({ code }) => !DRAWN.has(code)).length
  return (
    <div class="world-list">
      <section class="table-scroll" tabindex="0" aria-label="Countries">
        <table>
          <thead>
            <tr>
              <th scope="col">Country</th>
              <th scope="col" class="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={props.countries}>
              {({ code, name, value, note }) => (
                <tr classList={{ chosen: code === props.chosen }}>
                  <td>{name}</td>
                  <td class="number">
                    {formatValue(value, props.unit)}
                    <span class="quiet small">{note}</span>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
      <Show when={hidden() > 0}>
        <p class="quiet small">{hidden()} of them cannot be seen on the map.</p>
      </Show>
    </div>
  )
}

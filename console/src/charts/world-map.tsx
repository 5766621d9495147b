import { WORLD } from 'virtual:world'
import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { rowLabel } from '../format/labels.ts'
import { formatTick, formatValue, type Unit } from '../format/unit.ts'
import { formatCountry, formatShare } from '../format/values.ts'
import type { ChartOptions, ChartProps } from './chart.ts'
import { describeChange } from './number-card.tsx'

/** Shades of the map; more are hard to tell apart. */
const STEPS = 5

const DRAWN: ReadonlySet<string> = new Set(WORLD.countries.map(([code]) => code))

interface Country {
  readonly code: string
  readonly name: string
  readonly value: number
  readonly note: string
}

/** Countries by colour, and the same values as a list: the map is too coarse for small countries. */
export function WorldMap(props: ChartProps<TopKResult>): JSX.Element {
  const countries = createMemo(() => readCountries(props.result, props.previous, props.options))
  const [chosen, setChosen] = createSignal<string>()
  const max = (): number => Math.max(0, ...countries().map(({ value }) => value))
  const step = (by: number): void => {
    const at = countries().findIndex(({ code }) => code === chosen())
    const next = Math.min(countries().length - 1, Math.max(0, at + by))
    setChosen(countries()[next]?.code)
  }
  const spoken = (): string => {
    const country = countries().find(({ code }) => code === chosen())
    if (country) return `${country.name}: ${formatValue(country.value, props.options.unit)}${country.note}`
    return chosen() === undefined
      ? 'Point at a country or press the arrow keys'
      : `${formatCountry(chosen() ?? '')}: none`
  }
  return (
    <div class="world">
      <div class="world-map">
        <Outlines countries={countries()} max={max()} chosen={chosen()} onChoose={setChosen} onStep={step} />
        <p class="small world-spoken" aria-live="polite">
          {spoken()}
        </p>
        <Legend max={max()} unit={props.options.unit} />
      </div>
      <CountryTable countries={countries()} unit={props.options.unit} chosen={chosen()} />
    </div>
  )
}

function readCountries(
  top: TopKResult,
  previous: TopKResult | undefined,
  { unit, shares }: ChartOptions,
): readonly Country[] {
  const total = top.rows.reduce((sum, { value }) => sum + value, 0)
  return top.rows.map((row) => {
    const { dimensionValue: code, value } = row
    const was = previous?.rows.find((other) => other.dimensionValue === code)?.value
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
      aria-label="World map; the arrow keys move through the countries from high to low"
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

/** 1 to 5, by the square root of the share: a linear scale shows all but the first country alike. */
function shadeOf(value: number, max: number): number {
  if (value <= 0 || max <= 0) return 0
  return Math.max(1, Math.ceil(Math.sqrt(value / max) * STEPS))
}

function Legend(props: { readonly max: number; readonly unit: Unit }): JSX.Element {
  // Counts are whole numbers; small ranges keep their fractions, else bounds would repeat.
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
        <p class="quiet small">{hidden()} of them are too small for the map.</p>
      </Show>
    </div>
  )
}

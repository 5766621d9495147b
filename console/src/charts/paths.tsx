import './messages.ts'
import './paths.css'
import type { UserFlowResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { keysOf } from '@domain/charts/series-keys.ts'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { formatCompact, formatNumber, formatShare } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { createBoxSize } from './box-size.ts'
import type { ChartProps } from './chart.ts'
import { seriesColor } from './palette.ts'
import {
  layoutPaths,
  linkPath,
  NODE_WIDTH,
  nodesThrough,
  type PathLink,
  type PathNode,
} from './paths-layout.ts'
import { type Anchor, peopleFoot, Tooltip, type TooltipContent } from './tooltip.tsx'

const LABEL_WIDTH_MAX = 150
/** Between a node and its label. */
const LABEL_GAP = 6

/** The paths of sessions from left to right; each node shows the sessions that pass through it. */
export function PathsChart(props: ChartProps<UserFlowResult>): JSX.Element {
  let box: HTMLDivElement | undefined
  const size = createBoxSize(() => box)
  const width = (): number => size().width
  const layout = createMemo(() =>
    layoutPaths(props.result, { ...size(), labelWidth: Math.min(LABEL_WIDTH_MAX, width() / 4) }),
  )
  const colors = createMemo(() => colorsOf(layout().nodes))
  const byId = createMemo(() => new Map(layout().nodes.map((node) => [node.id, node])))
  const [lit, setLit] = createSignal<string>()
  const [tooltip, setTooltip] = createSignal<{ readonly content: TooltipContent; readonly anchor: Anchor }>()
  const through = createMemo(() => {
    const id = lit()
    return id === undefined ? undefined : nodesThrough(layout().links, id)
  })
  const isFaded = ({ source, target }: PathLink): boolean =>
    through() !== undefined && !(through()?.has(source) && through()?.has(target))
  const point = (content: TooltipContent, id?: string) => (event: PointerEvent) => {
    setLit(id)
    const side = event.clientX > innerWidth * 0.6 ? 'left' : 'right'
    setTooltip({
      content: { ...content, ...peopleFoot(props.onOpen) },
      anchor: { x: event.clientX, y: event.clientY - 16, side },
    })
  }
  const pointAtMark = (event: PointerEvent): void => {
    const { node: id, link: at } = event.target instanceof SVGPathElement ? event.target.dataset : {}
    const [node, link] = [byId().get(id ?? ''), layout().links[Number(at ?? Number.NaN)]]
    if (node) point(describeNode(node, layout().links), node.id)(event)
    else if (link) point(describeLink(link, byId()))(event)
    else leave()
  }
  const openAtMark = ({ target }: MouseEvent): void => {
    if (!(target instanceof SVGPathElement)) return
    const link = layout().links[Number(target.dataset.link ?? Number.NaN)]
    if (link) props.onOpen?.({ kind: 'link', source: link.source, target: link.target })
    else open(target.dataset.node)?.()
  }
  const leave = (): void => {
    setLit(undefined)
    setTooltip(undefined)
  }
  const open = (id: string | undefined) =>
    id === undefined || !props.onOpen ? undefined : () => props.onOpen?.({ kind: 'node', id })
  return (
    <section ref={box} class="paths" aria-label={summarise(props.result)} onPointerLeave={leave}>
      <svg
        viewBox={`0 0 ${Math.max(1, width())} ${Math.max(1, size().height)}`}
        aria-hidden="true"
        classList={{ clickable: props.onOpen !== undefined }}
        onPointerMove={pointAtMark}
        onClick={openAtMark}
      >
        <For each={layout().links}>
          {(link, at) => (
            <path
              class="paths-link"
              classList={{ faded: isFaded(link) }}
              d={linkPath(link)}
              style={{ stroke: colors().get(link.source), 'stroke-width': `${link.width}px` }}
              data-link={at()}
            />
          )}
        </For>
        <For each={layout().nodes}>
          {(node) => (
            <path
              d={`M${node.left} ${node.top}h${NODE_WIDTH}v${node.height}h${-NODE_WIDTH}z`}
              style={{ fill: colors().get(node.id) }}
              data-node={node.id}
            />
          )}
        </For>
      </svg>
      <For each={layout().nodes}>
        {(node) => (
          <NodeLabel
            node={node}
            width={Math.min(
              labelWidth(layout().nodes, width()),
              width() - node.left - NODE_WIDTH - LABEL_GAP,
            )}
            isFaded={through()?.has(node.id) === false}
            onOpen={open(node.id)}
            onPoint={point(describeNode(node, layout().links), node.id)}
          />
        )}
      </For>
      <Show when={tooltip()}>{(shown) => <Tooltip {...shown()} />}</Show>
    </section>
  )
}

function NodeLabel(props: {
  readonly node: PathNode
  readonly width: number
  readonly isFaded: boolean
  readonly onOpen: (() => void) | undefined
  readonly onPoint: (event: PointerEvent) => void
}): JSX.Element {
  const name = (): string => (props.node.isOthers ? t('chart.other') : props.node.label)
  const text = (): JSX.Element => (
    <>
      <b>{formatCompact(props.node.value)}</b> {name()}
    </>
  )
  const position = () => ({
    left: `${props.node.left + NODE_WIDTH + LABEL_GAP}px`,
    top: `${props.node.top + props.node.height / 2}px`,
    'max-width': `${props.width}px`,
  })
  return (
    <Show
      when={props.onOpen}
      fallback={
        <span
          class="paths-label"
          classList={{ faded: props.isFaded }}
          style={position()}
          onPointerMove={(event) => props.onPoint(event)}
        >
          {text()}
        </span>
      }
    >
      {(open) => (
        <button
          type="button"
          class="paths-label"
          classList={{ faded: props.isFaded }}
          style={position()}
          onClick={() => open()()}
          onPointerMove={(event) => props.onPoint(event)}
        >
          {text()}
        </button>
      )}
    </Show>
  )
}

/** A label ends before the next column. */
function labelWidth(nodes: readonly PathNode[], width: number): number {
  const lefts = [...new Set(nodes.map(({ left }) => left))].sort((a, b) => a - b)
  const step = (lefts[1] ?? width) - (lefts[0] ?? 0)
  return Math.max(24, Math.min(LABEL_WIDTH_MAX, step - NODE_WIDTH - 16))
}

/** One colour for a label, in every column. */
function colorsOf(nodes: readonly PathNode[]): ReadonlyMap<string, string> {
  const labels = [...new Set(nodes.filter(({ isOthers }) => !isOthers).map(({ label }) => label))]
  return new Map(
    nodes.map(({ id, label, isOthers }) => [
      id,
      isOthers ? 'var(--prev)' : seriesColor(labels.indexOf(label)),
    ]),
  )
}

function describeNode({ id, label, isOthers, value }: PathNode, links: readonly PathLink[]): TooltipContent {
  const left = value - links.filter(({ source }) => source === id).reduce((sum, link) => sum + link.value, 0)
  return {
    title: isOthers ? t('chart.other') : label,
    rows: [
      { name: t('chart.sessions'), value: formatNumber(value) },
      ...(left > 0
        ? [{ name: t('peopleCharts.endOrElsewhere'), value: formatNumber(left), isQuiet: true }]
        : []),
    ],
  }
}

function describeLink(
  { source, target, value }: PathLink,
  nodes: ReadonlyMap<string, PathNode>,
): TooltipContent {
  const [from, to] = [nodes.get(source), nodes.get(target)]
  const nameOf = (node: PathNode | undefined): string =>
    node?.isOthers ? t('chart.other') : (node?.label ?? '')
  return {
    title: `${nameOf(from)} \u2192 ${nameOf(to)}`,
    rows: [
      { name: t('chart.sessions'), value: formatNumber(value) },
      ...(from && from.value > 0
        ? [
            {
              name: t('peopleCharts.ofNode', { name: nameOf(from) }),
              value: formatShare(value / from.value),
              isQuiet: true,
            },
          ]
        : []),
    ],
  }
}

function summarise({ nodes, links }: UserFlowResult): string {
  const labels = keysOf(
    nodes
      .filter(({ depth }) => depth === 0)
      .map(({ label, isOthers }) => (isOthers ? t('chart.other') : label)),
  )
  const names = labels.slice(0, 5).join(', ')
  return t('peopleCharts.pathsSummary', { nodes: nodes.length, links: links.length, names })
}

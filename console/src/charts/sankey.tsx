import type { UserFlowResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { SankeyChart } from 'echarts/charts'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { createEffect, type JSX, onCleanup, onMount } from 'solid-js'
import { isDark } from '../context/theme.ts'
import { nodeCaption } from '../format/labels.ts'
import type { ChartProps } from './chart.ts'
import { readColor, seriesColor } from './palette.ts'
import { offerPicture } from './picture.ts'
import { thinFlow } from './thin-flow.ts'

use([SankeyChart, CanvasRenderer])

/** The paths of sessions from left to right; each node shows the sessions that pass through it. */
export function Sankey(props: ChartProps<UserFlowResult>): JSX.Element {
  let box: HTMLDivElement | undefined
  onMount(() => {
    if (!box) return
    const chart = init(box)
    const draw = (): void => {
      // Reading the theme here draws the chart again when it changes.
      isDark()
      chart.setOption(optionOf(props.result, { textColor: readColor('text'), width: chart.getWidth() }))
    }
    createEffect(draw)
    offerPicture(box, async (pixelRatio) => chart.renderToCanvas({ pixelRatio }))
    const observer = new ResizeObserver(() => {
      chart.resize()
      draw()
    })
    observer.observe(box)
    onCleanup(() => {
      observer.disconnect()
      chart.dispose()
    })
  })
  const summary = (): string =>
    `Flow of ${props.result.nodes.length} nodes and ${props.result.links.length} links`
  return <div ref={box} class="chart sankey" role="img" aria-label={summary()} />
}

const LABEL_WIDTH_MAX = 110
const NODE_WIDTH = 20
/** On a narrow page the labels get the room of the nodes. */
const NARROW = { pageWidth: 480, nodeWidth: 8 } as const

function optionOf(
  result: UserFlowResult,
  { textColor, width }: { readonly textColor: string; readonly width: number },
) {
  const { nodes, links } = thinFlow(result)
  const columns = Math.max(0, ...nodes.map(({ depth }) => depth)) + 1
  const nodeWidth = width < NARROW.pageWidth ? NARROW.nodeWidth : NODE_WIDTH
  const labelWidth = Math.min(LABEL_WIDTH_MAX, Math.max(24, width / columns - nodeWidth - 12))
  const labels = [...new Set(nodes.map(({ label }) => label))]
  const captions = new Map(nodes.map((node) => [node.id, nodeCaption(node, result.links)]))
  return {
    animation: false,
    series: [
      {
        type: 'sankey' as const,
        left: 8,
        right: labelWidth + 14,
        top: 8,
        bottom: 8,
        nodeGap: 14,
        nodeWidth,
        emphasis: { focus: 'adjacency' as const },
        label: {
          color: textColor,
          overflow: 'truncate' as const,
          width: labelWidth,
          formatter: ({ name }: { readonly name: string }) => captions.get(name) ?? name,
        },
        lineStyle: { color: 'source' as const, opacity: 0.35 },
        data: nodes.map((node) => ({
          name: node.id,
          depth: node.depth,
          itemStyle: { color: seriesColor(labels.indexOf(node.label)) },
        })),
        links: links.map(({ source, target, value }) => ({ source, target, value: Number(value) })),
      },
    ],
  }
}

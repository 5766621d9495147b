import type { Difference } from './figures.ts'
import type { ConditionReport, Cost, Failure, InsightsReport, PeerReport, QueryReport } from './report.ts'
import { PEER_TABLES } from './world/peers.ts'

/** A report as text: queries, then peers, then conditions. */
export function renderReport(report: InsightsReport): string {
  const sections = [
    `${report.events.toLocaleString('en')} events, ${report.threads} threads, medians of ${report.rounds} rounds`,
    align([
      ['query', 'ours ms CPU', 'by hand', 'ratio', 'wall ms', 'by hand', 'rows read', 'answer'],
      ...report.queries.map(queryCells),
    ]),
    align([
      ['query', 'peer', 'ms CPU', 'wall ms', 'to by hand', 'rows read', 'wrong by', ''],
      ...report.queries.flatMap((query) => query.peers.map((peer) => peerCells(query, peer))),
    ]),
    align([
      ['query', 'condition', 'ms CPU', 'base', 'ms CPU', 'ratio', ''],
      ...report.conditions.map(conditionCells),
    ]),
  ]
  return `${sections.join('\n\n')}\n`
}

function queryCells({ name, ours, hand }: QueryReport): readonly string[] {
  const byHand = costCells(hand)
  if ('failed' in ours) return [name, '-', byHand.cpu, '-', '-', byHand.wall, '-', ours.failed]
  const { cpu, wall, rows } = costCells(ours)
  return [name, cpu, byHand.cpu, times(ours.ratio), wall, byHand.wall, rows, verdict(ours.difference)]
}

function verdict(difference: Difference): string {
  return difference.wrong === 0 ? 'equal' : `not as by hand: ${wrongBy(difference)}`
}

function peerCells({ name, hand }: QueryReport, peer: PeerReport): readonly string[] {
  const { title } = PEER_TABLES[peer.peer]
  if ('failed' in peer) return [name, title, '-', '-', '-', '-', '-', peer.failed.slice(0, 80)]
  const { cpu, wall, rows } = costCells(peer)
  const counts =
    peer.figures && 'figures' in hand && hand.figures ? [figures(peer.figures, hand.figures)] : []
  const notes = [...(peer.note ? [peer.note] : []), ...counts].join('; ')
  return [name, title, cpu, wall, times(peer.ratio), rows, wrongBy(peer.difference), notes]
}

function figures(
  answered: Readonly<Record<string, number>>,
  exact: Readonly<Record<string, number>>,
): string {
  const list = (of: Readonly<Record<string, number>>) =>
    Object.keys(exact).map((name) => count(of[name] ?? 0))
  return `${list(answered).join(' / ')} for ${list(exact).join(' / ')}`
}

function conditionCells({ name, condition, base, cost, baseCost }: ConditionReport): readonly string[] {
  if ('failed' in cost || 'failed' in baseCost) {
    const why = 'failed' in cost ? cost.failed : 'failed' in baseCost ? baseCost.failed : ''
    return [name, condition, '-', base, '-', '-', why]
  }
  const ratio = cost.cpuMs / baseCost.cpuMs
  return [name, condition, count(cost.cpuMs), base, count(baseCost.cpuMs), times(ratio), '']
}

function costCells(cost: Cost | Failure): {
  readonly cpu: string
  readonly wall: string
  readonly rows: string
} {
  if ('failed' in cost) return { cpu: '-', wall: '-', rows: '-' }
  return { cpu: count(cost.cpuMs), wall: count(cost.wallMs), rows: `${(cost.readRows / 1e6).toFixed(2)} M` }
}

function wrongBy({ share, wrong, figures: all }: Difference): string {
  if (wrong === 0) return 'nothing'
  const percent = share * 100
  return `${percent >= 10 ? Math.round(percent) : percent.toPrecision(2)} %, ${count(wrong)} of ${count(all)} figures`
}

function times(ratio: number): string {
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)} x` : '-'
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function align(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isFigure(rows, column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Figures of the same width stand under each other. */
function isFigure(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.slice(1).every((row) => /^(-|[\d,.]+( [xM])?)$/.test(row[column] ?? ''))
}

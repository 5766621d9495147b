import { formatCompact } from '../app/format.ts'

/** What stands beside a node in a drawing, which shows its depth: how many sessions came through, and its name. */
export function nodeCaption(
  node: { readonly id: string; readonly label: string; readonly isOthers: boolean },
  links: readonly { readonly source: string; readonly target: string; readonly value: bigint }[],
): string {
  const sum = (side: 'source' | 'target'): number =>
    links.reduce((count, link) => (link[side] === node.id ? count + Number(link.value) : count), 0)
  return `${formatCompact(Math.max(sum('source'), sum('target')))} ${node.isOthers ? 'Others' : node.label}`
}

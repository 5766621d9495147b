import { renderMarkdown } from '../../console/src/ui/markdown-html.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import type { BenchCase, MeasureRound } from '../case.ts'

/** Maximum length of the text of a tile. */
const CHARACTERS = 65_536

/** Pieces that make a parser look ahead, and look again at the next one. */
const PIECES = {
  brackets: '[',
  images: '![',
  emphasis: '_a**b',
  quotes: '> ',
  lists: '- a\n',
  links: '[a](<',
} as const

/** Texts that are written to be slow. */
export const markdownCases: readonly BenchCase[] = Object.entries(PIECES).map(([fixture, piece]) => ({
  name: `markdown/${fixture}`,
  unit: 'ms wall',
  baseline: 'half of the text',
  rounds: 8,
  prepare: async () => measure(piece),
}))

function measure(piece: string): MeasureRound {
  const textOf = (characters: number) => piece.repeat(Math.floor(characters / piece.length))
  const [whole, half] = [textOf(CHARACTERS), textOf(CHARACTERS / 2)]
  return async () => ({ cost: render(whole), baseline: render(half) })
}

function render(text: string): number {
  const startMs = monotonicMs()
  const html = renderMarkdown(text)
  if (html === '') throw new Error('the text came to nothing')
  return monotonicMs() - startMs
}

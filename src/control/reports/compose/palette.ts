/**
 * Colours of mails: the light ones of the console (`console/src/styles/tokens.css`), because mail programs know no style sheet
 * of ours. Those that have a dark theme change them by themselves.
 */
export const COLORS = {
  canvas: '#f8f9f9',
  surface: '#ffffff',
  sunken: '#f4f6f6',
  line: '#e4e8e8',
  'line-2': '#d3d9d9',
  text: '#121918',
  'text-2': '#495554',
  'text-3': '#5f6b69',
  accent: '#0f766e',
  bar: '#d9edea',
  good: '#15713a',
  bad: '#b42318',
  'bad-soft': '#fdeceb',
  grid: '#eceff0',
  prev: '#8a9594',
  'series-1': '#0f7f75',
  'series-2': '#d9601a',
  'series-3': '#4343d6',
  'series-4': '#b93ca9',
  'series-5': '#1e82dc',
  'series-6': '#86491a',
  'series-7': '#6b2a55',
  'series-8': '#97917a',
} as const

const SERIES = [
  COLORS['series-1'],
  COLORS['series-2'],
  COLORS['series-3'],
  COLORS['series-4'],
  COLORS['series-5'],
  COLORS['series-6'],
  COLORS['series-7'],
  COLORS['series-8'],
] as const

/** The colour of a series; grey beyond the palette. */
export function seriesColor(slot: number): string {
  return SERIES[slot] ?? COLORS['text-3']
}

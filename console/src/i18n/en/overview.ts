/** The Overview page. */
export const overview = {
  'overview.visitors': 'Visitors',
} as const

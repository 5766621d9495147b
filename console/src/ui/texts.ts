/** The texts inside components, in English. */
export const UI_TEXTS = {
  close: 'Close',
  remove: 'Remove',
  tryAgain: 'Try again',
  showDetails: 'Show details',
  hideDetails: 'Hide details',
  code: 'Code',
  request: 'Request',
  loading: 'Loading',
  undo: 'Undo',
  good: 'good',
  bad: 'bad',
  up: 'up',
  down: 'down',
  unchanged: 'no change',
  newValue: 'new',
} as const

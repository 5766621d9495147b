import type { Mutation } from './plant.ts'

/** Defects in the models of the console: rules that users see in numbers, ranges and lists, without a browser. */
export const CONSOLE_MUTATIONS: readonly Mutation[] = [
  {
    breaks: 'a cohort that is saved from a list forgets that the list is searched',
    search: "if (search !== '' || !isOfPeople || !rows.every(isConditionComplete)) return undefined",
    replace: 'if (!isOfPeople || !rows.every(isConditionComplete)) return undefined',
    tests: ['cohorts/cohort-draft.test.ts'],
  },
  {
    breaks: 'the people after a condition are counted without it',
    search: 'rows: draft.rows.slice(0, at + 1) })',
    replace: 'rows: draft.rows.slice(0, at) })',
    tests: ['cohorts/cohort-draft.test.ts'],
  },
  {
    breaks: 'an incomplete condition of a cohort is saved',
    search: "return condition.kind !== 'cohort' || condition.cohortId !== ''",
    replace: 'return true',
    tests: ['cohorts/cohort-draft.test.ts'],
  },
  {
    breaks: 'a clock that is a little behind shows times in the future',
    search: 'agoMs > -BEHIND_MS && agoMs < DAY_MS',
    replace: 'agoMs >= 0 && agoMs < DAY_MS',
    tests: ['format/ago.test.ts'],
  },
  {
    breaks: 'the token of an invitation stays in the browser forever',
    search: 'waiting && waiting.untilMs > Date.now()',
    replace: 'waiting',
    tests: ['pages/waiting-invitation.test.ts'],
  },
  {
    breaks: 'a tile that left the page takes the turn of the next one',
    search: 'waiting.delete(start)\n        reject(',
    replace: 'reject(',
    tests: ['dashboards/lane.test.ts'],
  },
  {
    breaks: 'a tile that is moved covers another',
    search: 'held && overlap(landed, held) ? { ...landed, y: held.y + held.h } : landed',
    replace: 'landed',
    tests: ['dashboards/grid-layout.test.ts'],
  },
  {
    breaks: 'a filter of a dashboard turns the alternatives of a tile into conditions',
    search: 'return filters.map((filter) => groupOf([filter, ...added]))',
    replace: 'return [groupOf([...filters, ...added])]',
    tests: ['dashboards/board-state.test.ts'],
  },
  {
    breaks: 'a dashboard compares a part of today with a whole day',
    search: 'toMs: fromMs + range.toMs - range.fromMs }',
    replace: 'toMs: range.fromMs }',
    tests: ['dashboards/board-state.test.ts'],
  },
  {
    breaks: 'an insight compares a part of today with a whole day',
    search: 'whole.toMs - missingMs',
    replace: 'whole.toMs',
    tests: ['insights/insight-period.test.ts'],
  },
  {
    breaks: 'the bounce rate of a range is the sum of its buckets',
    search: 'return session.metric === SessionMetric.SESSIONS',
    replace: 'return true',
    tests: ['insights/totals.test.ts'],
  },
  {
    breaks: 'a series is compared with another series of the previous period',
    search: 'before?.values[keys.indexOf(key)]',
    replace: 'before?.values[at]',
    tests: ['insights/totals.test.ts'],
  },
  {
    breaks: 'a query that names an unknown event blames its filters',
    search: 'explainByEvents(draft, { entries, range }) ?? fallback',
    replace: 'fallback',
    tests: ['model/emptiness.test.ts'],
  },
  {
    breaks: 'a click on a value with the label of the rest lists the users of the rest',
    search: 'rank >= limitOf(spec) && texts.length > 0',
    replace: 'texts.length > 0',
    tests: ['types/point-of-target.test.ts'],
  },
  {
    breaks: 'a click on one of two events of a kind lists the users of the other',
    search: 'event >= events.length || hasTwin',
    replace: 'event >= events.length',
    tests: ['types/point-of-target.test.ts'],
  },
  {
    breaks: 'the third series of a stack covers the second',
    search: '(bases?.[at] ?? 0) + (isBelow ? -value : value)',
    replace: '(isBelow ? -value : value)',
    tests: ['charts/time-model.test.ts'],
  },
  {
    breaks: 'the bucket that is not over is compared with a whole one',
    search: 'const change = isIncomplete\n      ?',
    replace: 'const change = model.offset < 0\n      ?',
    tests: ['charts/time-model.test.ts'],
  },
  {
    breaks: 'a falling bounce rate is bad news',
    search: "direction === good ? 'good' : 'bad'",
    replace: "direction === 'up' ? 'good' : 'bad'",
    tests: ['format/change.test.ts'],
  },
  {
    breaks: 'the rate of Live counts the minute that is not over',
    search: 'minutes.slice(0, -1).slice(-RATE_MINUTES)',
    replace: 'minutes.slice(-RATE_MINUTES)',
    tests: ['live/live-model.test.ts'],
  },
  {
    breaks: 'after a gap, Live lists old events as if none were missing',
    search: 'if (arrived.every((event) => !objects.has(keyOf(event)))) return arrived.slice(0, EVENTS_MAX)',
    replace: '',
    tests: ['live/live-model.test.ts'],
  },
  {
    breaks: 'people who stayed away stand on top of those who came',
    search: 'isBelow ? -value : value',
    replace: 'value',
    tests: ['charts/time-model.test.ts'],
  },
  {
    breaks: 'a lifecycle is asked for hours',
    search: "type !== 'INSIGHT_TYPE_LIFECYCLE' ||",
    replace: 'true ||',
    tests: ['insight-period.test.ts'],
  },
]

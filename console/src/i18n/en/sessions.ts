/** The list of sessions, and one session. */
export const sessions = {
  'sessions.started': 'Started',
  'sessions.duration': 'Duration',
  'sessions.bounced': 'Bounced',
  'sessions.session': 'Session',
  'sessions.failed': 'The sessions could not be loaded',
  'sessions.oneFailed': 'The session could not be loaded',
  'sessions.emptyTitle': 'No sessions',
  'sessions.emptyPeriod':
    'No session started in this period. Events that servers send usually have no session.',
  'sessions.emptyFiltered': 'No session of this period matches the filters.',
  'sessions.notFound': 'There is no such session',
  'sessions.notFoundText': 'Its events may have been deleted, or the link is incomplete.',
  'sessions.next': 'Next session',
  'sessions.previous': 'Previous session',
  'sessions.facts': 'About this session',
  'sessions.showLater': 'Show later events',
} as const

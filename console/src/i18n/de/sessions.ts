import type { sessions as english } from '../en/sessions.ts'
import type { Translation } from '../messages.ts'

/** The German messages of sessions. */
export const sessions: Translation<typeof english> = {
  'sessions.started': 'Beginn',
  'sessions.duration': 'Dauer',
  'sessions.bounced': 'Abgesprungen',
  'sessions.session': 'Sitzung',
  'sessions.failed': 'Die Sitzungen konnten nicht geladen werden',
  'sessions.oneFailed': 'Die Sitzung konnte nicht geladen werden',
  'sessions.emptyTitle': 'Keine Sitzungen',
  'sessions.emptyPeriod':
    'In diesem Zeitraum hat keine Sitzung begonnen. Ereignisse von Servern haben meist keine Sitzung.',
  'sessions.emptyFiltered': 'Keine Sitzung dieses Zeitraums entspricht den Filtern.',
  'sessions.notFound': 'Diese Sitzung gibt es nicht',
  'sessions.notFoundText': 'Ihre Ereignisse wurden vielleicht gelöscht, oder der Link ist unvollständig.',
  'sessions.next': 'Nächste Sitzung',
  'sessions.previous': 'Vorherige Sitzung',
  'sessions.facts': 'Über diese Sitzung',
  'sessions.showLater': 'Spätere Ereignisse anzeigen',
}

import type { sessions as english } from '../en/sessions.ts'
import type { Translation } from '../messages.ts'

/** The Spanish messages of sessions. */
export const sessions: Translation<typeof english> = {
  'sessions.started': 'Inicio',
  'sessions.duration': 'Duración',
  'sessions.bounced': 'Rebote',
  'sessions.session': 'Sesión',
  'sessions.failed': 'No se pudieron cargar las sesiones',
  'sessions.oneFailed': 'No se pudo cargar la sesión',
  'sessions.emptyTitle': 'No hay sesiones',
  'sessions.emptyPeriod':
    'Ninguna sesión empezó en este periodo. Los eventos que envían los servidores no suelen tener sesión.',
  'sessions.emptyFiltered': 'Ninguna sesión de este periodo cumple los filtros.',
  'sessions.notFound': 'Esta sesión no existe',
  'sessions.notFoundText': 'Puede que sus eventos se hayan eliminado o que el enlace esté incompleto.',
  'sessions.next': 'Sesión siguiente',
  'sessions.previous': 'Sesión anterior',
  'sessions.facts': 'Acerca de esta sesión',
  'sessions.showLater': 'Mostrar eventos posteriores',
}

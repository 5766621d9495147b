import type { common as english } from '../en/common.ts'
import type { Translation } from '../messages.ts'

/** Words that many pages use, in Spanish. */
export const common: Translation<typeof english> = {
  'common.add': 'Añadir',
  'common.apply': 'Aplicar',
  'common.back': 'Atrás',
  'common.brokenLink': 'No se pudo leer una parte de este enlace. La página se muestra sin ella.',
  'common.cancel': 'Cancelar',
  'common.changedMeanwhile':
    'Otra persona lo cambió mientras tanto. Guarda otra vez para reemplazar su versión.',
  'common.close': 'Cerrar',
  'common.closeUnsaved': 'Los cambios no se han guardado. ¿Cerrar de todos modos?',
  'common.copy': 'Copiar',
  'common.copyLink': 'Copiar enlace',
  'common.copied': 'Copiado',
  'common.create': 'Crear',
  'common.delete': 'Eliminar',
  'common.edit': 'Editar',
  'common.error': 'No se pudo cargar',
  'common.leaveUnsaved': 'Los cambios no se han guardado. ¿Salir de esta página?',
  'common.loading': 'Cargando',
  'common.moreActions': 'Más acciones',
  'common.name': 'Nombre',
  'common.next': 'Siguiente',
  'common.notSet': '(sin valor)',
  'common.remove': 'Quitar',
  'common.retry': 'Reintentar',
  'common.save': 'Guardar',
  'common.search': 'Buscar',
  'common.sendByMail': 'Enviar por correo…',
  'common.undo': 'Deshacer',
}

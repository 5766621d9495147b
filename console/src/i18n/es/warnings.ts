import type { warnings as english } from '../en/warnings.ts'
import type { Translation } from '../messages.ts'

/** The data warnings in Spanish. */
export const warnings: Translation<typeof english> = {
  'warnings.tab': 'Advertencias',
  'warnings.label': 'Advertencias de ingesta',
  'warnings.failed': 'No se pudieron cargar las advertencias',
  'warnings.none': 'Sin advertencias',
  'warnings.noneText': 'Todo lo que llegó en este periodo se guardó tal como se envió.',
  'warnings.noMatch': 'Ninguna advertencia coincide con los filtros',
  'warnings.source': 'Origen',
  'warnings.anySource': 'Cualquier origen',
  'warnings.effect': 'Qué ocurrió',
  'warnings.anyEffect': 'Cualquier resultado',
  'warnings.dropped': 'No guardado',
  'warnings.changed': 'Modificado',
  'warnings.rejected': 'Rechazado',
  'warnings.period': 'Periodo',
  'warnings.day': 'Últimas 24 horas',
  'warnings.week': 'Últimos 7 días',
  'warnings.reason': 'Motivo',
  'warnings.sdk': 'SDK',
  'warnings.count': 'Recuento',
  'warnings.firstSeen': 'Visto por primera vez',
  'warnings.lastSeen': 'Visto por última vez',
  'warnings.sample': 'Ejemplo',
  'warnings.sampleText': 'Los valores se describen en lugar de mostrarse, porque pueden ser personales.',
  'warnings.noSample': 'No hay ningún ejemplo de esta advertencia.',
  'warnings.notAnObject.title': 'No es un evento',
  'warnings.notAnObject.text':
    'Un elemento de un lote no es un objeto JSON, así que no se guarda. Envía una lista de objetos.',
  'warnings.noName.title': 'Sin nombre',
  'warnings.noName.text':
    'El evento no tiene nombre, así que no se guarda. Indica el nombre en la llamada que lo envía.',
  'warnings.noId.title': 'Sin ID',
  'warnings.noId.text':
    'El evento no indica ni una persona ni un dispositivo, así que no se guarda. Indica el distinct ID, el ID de usuario o el ID de dispositivo.',
  'warnings.invalidId.title': 'ID no válido',
  'warnings.invalidId.text':
    'El ID tiene más de 1024 caracteres, empieza por cookieless- o contiene caracteres no válidos. El evento no se guarda. Envía otro ID.',
  'warnings.otherKey.title': 'Otra clave',
  'warnings.otherKey.text':
    'El evento tiene otra clave que su solicitud, así que no se guarda. Envía los eventos de cada proyecto en solicitudes propias.',
  'warnings.unknownVisitor.title': 'Visitante desconocido',
  'warnings.unknownVisitor.text':
    'Un evento sin cookies necesita un user agent y una dirección, y sin ellos no se guarda. Haz que los proxies transmitan ambos.',
  'warnings.unknownType.title': 'Tipo desconocido',
  'warnings.unknownType.text': 'Los mensajes de este tipo no se guardan. Envíalos con otro tipo.',
  'warnings.groups.title': 'Grupos',
  'warnings.groups.text':
    'Los grupos no tienen equivalente, así que sus cambios no se guardan. Envía lo que necesites de un grupo como propiedades de los eventos.',
  'warnings.recordings.title': 'Grabaciones de sesión',
  'warnings.recordings.text':
    'Las grabaciones de sesión no se guardan. Desactívalas en el SDK para ahorrar tráfico.',
  'warnings.engagement.title': 'Tiempo de lectura',
  'warnings.engagement.text':
    'El tiempo de lectura de una página no es un evento y no se guarda. No hay que cambiar nada.',
  'warnings.schema.title': 'No cumple su esquema',
  'warnings.schema.text':
    'A un evento tipado le falta una propiedad o tiene un valor incorrecto, así que no se guarda. Envía lo que pide el esquema.',
  'warnings.blocked.title': 'Evento bloqueado',
  'warnings.blocked.text':
    'El diccionario bloquea este evento, así que no se guarda. Elige otro estado en Eventos para volver a guardarlo.',
  'warnings.otherDay.title': 'Sin cookies, de otro día',
  'warnings.otherDay.text':
    'Los eventos sin cookies solo se guardan el día en que ocurren. Envíalos cuando ocurran.',
  'warnings.salt.title': 'Sin secreto para visitantes sin cookies',
  'warnings.salt.text':
    'Falta el secreto del día, así que los eventos sin cookies no se guardan. Revisa el almacén de estado del servicio.',
  'warnings.textCut.title': 'Texto recortado',
  'warnings.textCut.text':
    'Un texto tenía más de 1024 caracteres y se ha recortado. Envía textos más cortos.',
  'warnings.charactersReplaced.title': 'Caracteres reemplazados',
  'warnings.charactersReplaced.text':
    'Un texto contenía caracteres que no son Unicode válido. Recorta los textos entre caracteres, no entre bytes.',
  'warnings.propertyLeftOut.title': 'Propiedad omitida',
  'warnings.propertyLeftOut.text':
    'Una propiedad tenía un nombre o un valor demasiado largo, o el evento tenía más de 256 propiedades. Envía menos.',
  'warnings.traitLeftOut.title': 'Propiedad de persona omitida',
  'warnings.traitLeftOut.text':
    'Una propiedad de una persona supera un límite, o la persona no está identificada. Identifícala primero.',
  'warnings.operation.title': 'Operación no admitida',
  'warnings.operation.text':
    'Los cambios que dependen del valor anterior, como sumar a un número o a una lista, no se hacen. Envía el valor nuevo.',
  'warnings.timeReplaced.title': 'Hora reemplazada',
  'warnings.timeReplaced.text':
    'No se pudo leer la hora del evento, así que tiene la de su llegada. Envía las horas en ISO 8601.',
  'warnings.clock.title': 'Reloj incorrecto',
  'warnings.clock.text':
    'El reloj del cliente se desvía más de un minuto. Los eventos se guardan como se enviaron, con $clock_skew_ms. Corrige el reloj de los servidores.',
  'warnings.invalidEvent.title': 'Evento no válido',
  'warnings.invalidEvent.text':
    'Un evento incumple una regla, así que se rechazó toda la solicitud. Corrige el campo de abajo.',
  'warnings.unreadable.title': 'Solicitud ilegible',
  'warnings.unreadable.text':
    'No se pudo leer la solicitud y se rechazó. Envía JSON válido en el formato del SDK.',
  'warnings.tooLarge.title': 'Solicitud demasiado grande',
  'warnings.tooLarge.text':
    'La solicitud es mayor de lo que acepta el servicio y se rechazó. Envía lotes más pequeños.',
  'warnings.compression.title': 'Compresión desconocida',
  'warnings.compression.text':
    'La solicitud se rechazó. Comprime las solicitudes con gzip, br o zstd, o no las comprimas.',
  'warnings.keyExpired.title': 'Clave caducada',
  'warnings.keyExpired.text':
    'La clave de las solicitudes ha caducado y se rechazaron. Usa una clave más reciente.',
  'warnings.otherAddress.title': 'Dirección no permitida',
  'warnings.otherAddress.text':
    'La clave solo funciona desde las direcciones de su lista, y las solicitudes llegaron de otras. Añade las direcciones, o revoca la clave si la tiene otra persona.',
  'warnings.rate.title': 'Límite de frecuencia',
  'warnings.rate.text':
    'La clave envió más eventos de los permitidos, así que se rechazaron solicitudes. Envía menos o sube el límite. Un SDK que reintenta no pierde nada.',
  'warnings.unavailable.title': 'Servicio no disponible',
  'warnings.unavailable.text':
    'El servicio no pudo aceptar solicitudes a tiempo. Revisa su estado. Un SDK que reintenta no pierde nada.',
  'warnings.other.title': 'Otro motivo',
  'warnings.other.text': 'Esta página no conoce el motivo. Recárgala tras una actualización del servicio.',
}

import type { channels as english } from '../en/channels.ts'
import type { Translation } from '../messages.ts'

/** The channels of a project, in Spanish. */
export const channels: Translation<typeof english> = {
  'channels.new': 'Nuevo canal',
  'channels.none': 'Aún no hay canales',
  'channels.noneText':
    'Un canal es el destino de las notificaciones del proyecto: direcciones de correo, Slack o un webhook propio.',
  'channels.destination': 'Destino',
  'channels.state': 'Estado',
  'channels.kind': 'Enviar a',
  'channels.mail': 'Correo',
  'channels.slack': 'Slack',
  'channels.webhook': 'Webhook',
  'channels.actions': 'Acciones de {name}',
  'channels.edit': 'Editar canal',
  'channels.nameExample': 'Guardia',
  'channels.addresses': 'Direcciones de correo, una por línea',
  'channels.addressesHint': 'Hasta 20. Cada dirección recibe su propio correo.',
  'channels.addressMany': 'Un canal tiene como máximo {count} direcciones.',
  'channels.url': 'URL del webhook',
  'channels.urlKeep': 'Déjalo vacío para conservar la URL actual.',
  'channels.slackHint':
    'En Slack, añade un webhook entrante al canal y pega aquí su URL. También sirven otras herramientas que aceptan mensajes de Slack.',
  'channels.webhookHint':
    'Millrace le envía JSON firmado. El secreto de firma se muestra una sola vez, en el siguiente paso.',
  'channels.create': 'Crear canal',
  'channels.createdToast': '«{name}» creado',
  'channels.signing': 'Cómo verificar la firma',

  'channels.active': 'Activo',
  'channels.failing': 'Con fallos',
  'channels.disabled': 'Desactivado',
  'channels.failingSince': 'desde {time}',
  'channels.failingText':
    'Todos los intentos desde {time} han fallado. Millrace sigue intentándolo y desactiva el canal a los cinco días.',
  'channels.disabledByYou': 'No envía nada hasta que un administrador lo active.',
  'channels.disabledFailing':
    'Todos los envíos fallaron durante cinco días. Revisa el destino, envía una prueba y activa el canal.',
  'channels.disabledGone':
    'El webhook respondió «410 Gone»: la dirección ya no se usa. Escribe la nueva y activa el canal.',
  'channels.enable': 'Activar',
  'channels.disable': 'Desactivar',
  'channels.enabledToast': '«{name}» activado',
  'channels.disabledToast': '«{name}» desactivado',

  'channels.test': 'Enviar prueba',
  'channels.testText': 'Envía ahora una notificación y muestra la respuesta.',
  'channels.mailTaken': 'El servidor de correo aceptó el mensaje. Revisa la bandeja de entrada.',

  'channels.rotate': 'Cambiar el secreto de firma…',
  'channels.rotateAsk': '¿Cambiar el secreto de firma de {name}?',
  'channels.rotateText':
    'El nuevo secreto se muestra una sola vez. Durante 24 horas las peticiones se firman con ambos, para que puedas cambiarlo sin perder ninguna notificación.',
  'channels.rotateVerb': 'Cambiar secreto',
  'channels.secretNow': 'Copia ahora este secreto de firma. No podrás volver a verlo.',
  'channels.secretText': 'Con él, tu servidor verifica la firma de cada petición.',

  'channels.delete': 'Eliminar canal…',
  'channels.deleteAsk': '¿Eliminar {name}?',
  'channels.deleteText':
    'Se pierden las notificaciones que aún no ha entregado y su registro. No se puede deshacer.',
  'channels.deleteVerb': 'Eliminar canal',
  'channels.deletedToast': '«{name}» eliminado',

  'channels.deliveries': 'Entregas',
  'channels.deliveriesNone': 'Nada enviado en los últimos 30 días.',
  'channels.more': 'Mostrar más',
  'channels.pending': 'En espera',
  'channels.delivered': 'Entregada',
  'channels.failed': 'Fallida',
  'channels.attempts': { one: '{count} intento', many: '{count} intentos', other: '{count} intentos' },
  'channels.nextAttempt': 'próximo intento {time}',
  'channels.typeTest': 'Prueba',
  'channels.typeAlert': 'Alerta',
  'channels.typeReport': 'Informe',

  'channels.answered': 'El webhook respondió con el estado {status}.',
  'channels.errorRedirect':
    'El webhook respondió con el estado {status}. No se siguen redirecciones: escribe la URL final.',
  'channels.errorNoHost': 'El servidor no tiene dirección. Revisa la URL.',
  'channels.errorPrivate':
    'El servidor no tiene una dirección pública. Usa otro, o pide al operador que lo permita en SERVICE_OUTBOUND_ALLOW.',
  'channels.errorUnreachable': 'No se puede llegar al servidor.',
  'channels.errorTls': 'El servidor no tiene un certificado TLS válido.',
  'channels.errorSlow': 'El servidor no respondió a tiempo.',
  'channels.errorLarge': 'La respuesta es demasiado grande.',
  'channels.errorDisabled': 'El canal estaba desactivado.',
  'channels.errorFull': 'Había demasiados envíos en espera para este canal.',
  'channels.errorDay': 'Otros envíos del canal fallaron durante un día.',
  'channels.errorInternal': 'Algo falló en el servicio.',
}

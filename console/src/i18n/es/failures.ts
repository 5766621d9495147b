import type { failures as english } from '../en/failures.ts'
import type { Translation } from '../messages.ts'

/** Failures that the service names by a reason, in Spanish. */
export const failures: Translation<typeof english> = {
  'failures.unexpected':
    'Algo ha fallado en el servicio. Su registro contiene la causa junto al ID de la solicitud.',
  'failures.canceled': 'La solicitud se canceló. Prueba de nuevo.',
  'failures.tookTooLong': 'La solicitud tardó demasiado. Prueba de nuevo.',
  'failures.queryTooLong': 'La consulta tardó demasiado. Elige un periodo más corto o filtros más precisos.',
  'failures.queryTooLarge':
    'La consulta lee demasiados datos. Elige un periodo más corto o filtros más precisos.',
  'failures.noQueries':
    'El servicio no responde consultas en este momento. Prueba de nuevo dentro de un minuto.',
  'failures.noStore':
    'El servicio no puede acceder a sus datos en este momento. Prueba de nuevo dentro de un minuto.',
  'failures.overloaded': 'El servicio está al límite de su capacidad. Prueba de nuevo dentro de un minuto.',
  'failures.tooMany': 'Son demasiados intentos en poco tiempo. Prueba de nuevo más tarde.',
  'failures.tooLarge': 'Es demasiado grande para enviarse.',
  'failures.signedOut': 'La sesión o el enlace ha caducado. Inicia sesión de nuevo.',
  'failures.wrongPassword': 'El correo o la contraseña no son correctos.',
  'failures.signInAgain':
    'Introduce la contraseña actual, o inicia sesión con un enlace por correo y define la contraseña en menos de 10 minutos.',
  'failures.noAccount':
    'Esta dirección no tiene cuenta. Un administrador de una organización puede invitarla.',
  'failures.noSignIn': 'Este servicio no ofrece esta forma de iniciar sesión.',
  'failures.noProvider':
    'No se puede acceder al proveedor de acceso, o este rechaza el servicio. Prueba de nuevo o consulta al operador.',
  'failures.ssoRequired':
    'Las direcciones de este dominio solo inician sesión con el proveedor de su empresa. Usa su botón.',
  'failures.otherAttempt':
    'Este inicio de sesión empezó en otro navegador, ya se completó o tardó más de 10 minutos. Empieza de nuevo.',
  'failures.usedCode': 'Este inicio de sesión ya se usó o ha caducado. Empieza de nuevo.',
  'failures.providerRefused':
    'El proveedor no te ha dado acceso. Empieza de nuevo o inicia sesión de otra forma.',
  'failures.badResponse':
    'La respuesta del proveedor no es válida para este servicio. Empieza de nuevo; si vuelve a ocurrir, avisa al operador.',
  'failures.wrongClock':
    'La respuesta del proveedor ha caducado o viene del futuro: un reloj va mal. Avisa al operador.',
  'failures.unverifiedEmail':
    'El proveedor no ha verificado tu dirección de correo. Verifícala allí e inicia sesión de nuevo.',
  'failures.notConnected':
    'Existe una cuenta con tu dirección, pero no está conectada a este proveedor. Inicia sesión como antes y conecta el proveedor en los ajustes de tu cuenta.',
  'failures.identityChanged':
    'La cuenta con tu dirección está conectada a otro usuario de este proveedor. Inicia sesión de otra forma y desconéctalo, o consulta al operador.',
  'failures.identityUsed':
    'Este usuario del proveedor está conectado a otra cuenta. Desconéctalo allí primero.',
  'failures.identityGone': 'Este proveedor ya no está conectado.',
  'failures.sessionGone': 'Esta sesión ya terminó.',
  'failures.organisationGone': 'Esta organización ya no existe.',
  'failures.noMember': 'No eres miembro de esta organización.',
  'failures.projectClosed': 'No tienes acceso a este proyecto. Pide un rol a uno de sus administradores.',
  'failures.adminEverywhere':
    'Un administrador de la organización lo es de todos sus proyectos. Cambia antes su rol en la organización.',
  'failures.notAGuest':
    'Su rol en el proyecto ya le muestra todos los paneles. Comparte paneles solo con invitados.',
  'failures.needsAdmin': 'Solo un administrador puede hacer esto.',
  'failures.needsRole': 'Tu rol no permite esto. Un administrador puede cambiarlo.',
  'failures.alreadyMember': 'Esta dirección ya pertenece a un miembro.',
  'failures.memberGone': 'Esta persona ya no es miembro.',
  'failures.lastAdmin': 'Una organización necesita un administrador. Nombra antes a otro miembro.',
  'failures.lastMember': 'El último miembro no puede salir de una organización.',
  'failures.noInvitation': 'La invitación es para otra dirección, o ya se usó o ha caducado.',
  'failures.invitationOver':
    'Esta invitación ha caducado, se revocó o ya se aceptó. Un administrador puede enviar otra.',
  'failures.invitedAccount':
    'La dirección invitada tiene una cuenta. Inicia sesión con ella y abre el enlace de nuevo.',
  'failures.projectGone': 'Este proyecto ya no existe.',
  'failures.retentionMore': 'Se eliminarían más eventos de los que has confirmado. Inténtalo de nuevo.',
  'failures.projectTaken': 'La organización ya tiene un proyecto con este nombre.',
  'failures.keyGone': 'Esta clave ya no existe.',
  'failures.limit': 'No caben más. Elimina algunos antes.',
  'failures.mailGone': 'La organización no tiene proveedor de correo.',
  'failures.factorRequired': 'Para esto hace falta un segundo factor. Configúralo en Ajustes, Cuenta.',
  'failures.factorProof': 'Confirma primero con tu segundo factor.',
  'failures.factorCode': 'El código es incorrecto o ya se usó. Introduce el más reciente.',
  'failures.passkeyInvalid':
    'No se aceptó la llave de acceso: la solicitud caducó, ya se usó o es de otra cuenta. Inténtalo de nuevo.',
  'failures.passkeyCopied':
    'El contador de esta llave de acceso retrocedió, así que puede existir una copia. Confirma de otra forma y elimina esta llave.',
  'failures.passkeyInUse': 'Esta llave de acceso ya se añadió.',
  'failures.passkeyGone': 'Esta llave de acceso ya no existe.',
  'failures.noPasskeys':
    'Las llaves de acceso necesitan https o localhost. El operador define la URL pública del servicio.',
  'failures.noFactor': 'La cuenta ya no tiene segundo factor.',
  'failures.otherOrganisations':
    'El miembro pertenece a organizaciones que no administras. Pregunta a quien gestiona el servicio.',
  'failures.dashboardGone': 'Este panel ya no existe.',
  'failures.goalGone': 'Este objetivo ya no existe.',
  'failures.cohortGone': 'Esta cohorte ya no existe.',
  'failures.savedInsightGone': 'Este análisis guardado ya no existe.',
  'failures.versionGone': 'Esta versión ya no se conserva.',
  'failures.annotationGone': 'Esta anotación ya no existe.',
  'failures.nameGone': 'Este nombre ya no está en el diccionario de datos.',
  'failures.channelGone': 'Este canal ya no existe.',
  'failures.alertGone': 'Esta alerta ya no existe.',
  'failures.reportGone': 'Este informe ya no existe.',
  'failures.personGone': 'Esta persona ya no existe.',
  'failures.visitGone': 'Esta sesión ya no tiene eventos.',
  'failures.needsPassword': 'Este panel requiere su contraseña.',
  'failures.campaignGone': 'Esta campaña ya no existe.',
  'failures.campaignSent': 'El envío ha empezado. Solo se puede cambiar una campaña programada.',
  'failures.cohortUsed': 'Esta cohorte está en uso. Quítala primero de ahí.',
  'failures.cohortCycle': 'Una cohorte no puede contenerse a sí misma.',
  'failures.fieldEmpty': 'Escribe un valor.',
  'failures.fieldNotification': 'Escribe un título, un texto o datos para la app.',
  'failures.fieldEmail': 'No es una dirección de correo.',
  'failures.fieldUrl': 'Escribe una URL que empiece por https:// o http://, sin nombre de usuario.',
  'failures.fieldZone': 'No es una zona horaria.',
  'failures.fieldPast': 'Este momento ya ha pasado.',
  'failures.fieldCharacter': 'Contiene un carácter que no se puede guardar.',
  'failures.fieldLong': {
    one: 'Como máximo {count} carácter.',
    many: 'Como máximo {count} caracteres.',
    other: 'Como máximo {count} caracteres.',
  },
  'failures.fieldShort': {
    one: 'Al menos {count} carácter.',
    many: 'Al menos {count} caracteres.',
    other: 'Al menos {count} caracteres.',
  },
  'failures.fieldNumber': 'No es un número.',
  'failures.fieldPassword': 'No es la contraseña de la cuenta.',
  'failures.noPictures': 'Este navegador no dibuja imágenes.',
  'failures.pictureLarge': 'La imagen es demasiado grande.',
}

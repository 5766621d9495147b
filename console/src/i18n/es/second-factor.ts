import type { secondFactor as english } from '../en/second-factor.ts'
import type { Translation } from '../messages.ts'

/** The second factor of an account, in Spanish. */
export const secondFactor: Translation<typeof english> = {
  'secondFactor.title': 'Segundo factor',
  'secondFactor.text':
    'Con un segundo factor no basta una contraseña o un enlace por correo para entrar: hace falta además una llave de acceso o un código de una aplicación de autenticación.',
  'secondFactor.requiredBy': 'Lo exige {names}',
  'secondFactor.setUp': 'Configurar',
  'secondFactor.password': 'Introduce tu contraseña para configurar un segundo factor.',
  'secondFactor.signInAgain': 'Cierra la sesión, entra de nuevo y configura un segundo factor en 10 minutos.',
  'secondFactor.scan':
    'Escanea este código con una aplicación de autenticación de tu teléfono e introduce los seis dígitos que muestra.',
  'secondFactor.qr': 'Código QR de la clave',
  'secondFactor.key': 'Clave, si no puedes escanear',
  'secondFactor.code': 'Código de la aplicación',
  'secondFactor.turnOn': 'Activar',
  'secondFactor.codesTitle': 'Guarda ahora estos códigos de recuperación',
  'secondFactor.codesText':
    'Cada código sustituye al segundo factor una vez, por ejemplo si pierdes el teléfono. No se vuelven a mostrar.',
  'secondFactor.codesName': 'Códigos de recuperación',
  'secondFactor.download': 'Descargar',
  'secondFactor.codesSaved': 'Los he guardado',
  'secondFactor.since': 'Activo desde {time}, usado por última vez {used}',
  'secondFactor.codesLeft': {
    one: 'Queda {count} código de recuperación',
    many: 'Quedan {count} códigos de recuperación',
    other: 'Quedan {count} códigos de recuperación',
  },
  'secondFactor.newCodes': 'Nuevos códigos de recuperación',
  'secondFactor.newCodesText': 'Los códigos de recuperación anteriores dejan de valer.',
  'secondFactor.otherApp': 'Usar otra aplicación',
  'secondFactor.app': 'Aplicación de autenticación',
  'secondFactor.appNone': 'Sin configurar',
  'secondFactor.recoveryCode': 'Código de recuperación',
  'secondFactor.turnOff': 'Desactivar',
  'secondFactor.turnOffAsk': '¿Desactivar el segundo factor?',
  'secondFactor.turnOffText': 'Después basta una contraseña o un enlace por correo para entrar.',
  'secondFactor.turnedOff': 'El segundo factor está desactivado',
  'secondFactor.anyCode': 'Código de la aplicación o de recuperación',
  'secondFactor.proveTitle': 'Confirma que eres tú',
  'secondFactor.proveText': 'Para esto hace falta tu segundo factor; la confirmación vale 10 minutos.',
  'secondFactor.confirm': 'Confirmar',
  'secondFactor.lockedTitle': '{name} exige un segundo factor',
  'secondFactor.lockedText': 'Sus proyectos se abren en cuanto lo configures.',
  'secondFactor.rule': 'Exigir un segundo factor a todos los miembros',
  'secondFactor.ruleText':
    'Los miembros sin segundo factor no pueden abrir los proyectos hasta que lo configuren. No afecta a las claves de API.',
  'secondFactor.ownFirst': 'Configura primero un segundo factor para tu propia cuenta.',
  'secondFactor.openAccount': 'Abrir los ajustes de la cuenta',
  'secondFactor.reset': 'Restablecer',
  'secondFactor.resetOf': 'Restablecer el segundo factor de {email}',
  'secondFactor.resetAsk': '¿Restablecer el segundo factor de {email}?',
  'secondFactor.resetText':
    'Sus sesiones terminan, y hasta que configure otro basta una contraseña o un enlace por correo para entrar. Asegúrate de que la petición es suya.',
  'secondFactor.on': 'Activo',
  'secondFactor.off': 'Inactivo',
}

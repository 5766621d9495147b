import type { signIn as english } from '../en/sign-in.ts'
import type { Translation } from '../messages.ts'

/** The sign-in page, in Spanish. */
export const signIn: Translation<typeof english> = {
  'signIn.title': 'Entrar en Millrace',
  'signIn.ended': 'Tu sesión ha terminado. Inicia sesión para volver a la página.',
  'signIn.email': 'Correo',
  'signIn.password': 'Contraseña',
  'signIn.continue': 'Continuar',
  'signIn.sendLink': 'Enviar enlace',
  'signIn.byLink': 'Entrar con un enlace por correo',
  'signIn.byPassword': 'Entrar con contraseña',
  'signIn.google': 'Entrar con Google',
  'signIn.provider': 'Iniciar sesión con {name}',
  'signIn.googleStorage':
    'El navegador bloquea el almacenamiento de esta página, necesario para volver de Google.',
  'signIn.googleOther': 'Esta respuesta de Google pertenece a otra pestaña. Empieza de nuevo.',
  'signIn.googleRefused': 'Google no inició tu sesión: {reason}',
  'signIn.or': 'o',
  'signIn.anotherWay': 'Entrar de otra forma',
  'signIn.linkText': 'Este enlace te da acceso.',
  'signIn.linkSent': 'Mira tu bandeja de entrada',
  'signIn.linkSentText':
    'Si {email} tiene una cuenta o una invitación, un enlace está en camino. Funciona una vez, durante 15 minutos. En un servicio sin servidor de correo, el enlace está en su registro.',
  'signIn.wrongPassword': 'El correo o la contraseña no son correctos.',
  'signIn.factorText': 'Introduce el código que muestra tu aplicación de autenticación.',
  'signIn.factorCode': 'Código',
  'signIn.passkeyText': 'Confirma con una llave de acceso de tu cuenta.',
  'signIn.recoveryText': 'Introduce uno de tus códigos de recuperación. Cada uno vale una vez.',
  'signIn.recoveryCode': 'Código de recuperación',
  'signIn.useRecovery': 'Usar un código de recuperación',
  'signIn.useApp': 'Usar la aplicación de autenticación',
  'signIn.lostFactor':
    'Si no tienes nada de esto, un administrador de tu organización puede restablecer tu segundo factor.',
  'signIn.tooMany': 'Demasiados intentos. Espera un momento y prueba de nuevo.',
  'signIn.unreachable': 'No se puede acceder al servicio. Comprueba la conexión y prueba de nuevo.',
  'signIn.badLink': 'El enlace ya se usó o ha caducado. Pide uno nuevo.',
  'signIn.joinTitle': 'Unirse a una organización',
  'signIn.joinText': 'Ya tienes una cuenta. Entra para unirte.',
  'signIn.joinOther':
    'Has entrado como {email}. La invitación es para otra dirección, o el enlace ya se usó o ha caducado.',
  'signIn.joinSwitch': 'Usar otra cuenta',
  'signIn.joinLeave': 'Continuar sin unirse',
  'signIn.joinOver':
    'Esta invitación ha caducado, se revocó o ya se aceptó. Un administrador puede enviar otra.',
  'signIn.joined': 'Te has unido a {name}',
  'signIn.passwordRemoved':
    'Se eliminó tu contraseña, porque podría haberla definido el administrador que te invitó. Define otra en Ajustes.',
}

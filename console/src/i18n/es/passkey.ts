import type { passkey as english } from '../en/passkey.ts'
import type { Translation } from '../messages.ts'

/** Passkeys, in Spanish. */
export const passkey: Translation<typeof english> = {
  'passkey.use': 'Usar una llave de acceso',
  'passkey.dismissed': 'No se usó ninguna llave de acceso. Inténtalo de nuevo o de otra forma.',
  'passkey.unsupported': 'Este navegador no admite llaves de acceso.',
  'passkey.known': 'Este dispositivo o gestor de contraseñas ya tiene una llave de acceso de la cuenta.',
  'passkey.title': 'Llaves de acceso',
  'passkey.text':
    'Una llave de acceso se guarda en un teléfono, un ordenador, un gestor de contraseñas o una llave de seguridad. Solo vale para la dirección de este servicio.',
  'passkey.add': 'Añadir una llave de acceso',
  'passkey.name': 'Nombre de la llave de acceso',
  'passkey.example': 'Portátil del trabajo',
  'passkey.confirm': 'Continuar',
  'passkey.added': 'La llave de acceso está añadida',
  'passkey.since': 'Añadida {time}',
  'passkey.used': 'Añadida {time}, usada por última vez {used}',
  'passkey.elsewhere': 'Solo para {host}',
  'passkey.rename': 'Renombrar',
  'passkey.renameOf': 'Renombrar la llave de acceso {name}',
  'passkey.remove': 'Eliminar',
  'passkey.removeOf': 'Eliminar la llave de acceso {name}',
  'passkey.removeAsk': '¿Eliminar la llave de acceso {name}?',
  'passkey.removeText': 'Deja de valer. Elimínala también en el dispositivo o el gestor de contraseñas.',
  'passkey.removed': 'La llave de acceso está eliminada',
  'passkey.unavailable':
    'Las llaves de acceso necesitan https con un nombre de host, o localhost. El operador define la URL pública del servicio.',
  'passkey.otherOrigin':
    'Las llaves de acceso solo valen en {origin}. Abre allí la consola para añadir o usar una.',
}

import type { assistants as english } from '../en/assistants.ts'
import type { Translation } from '../messages.ts'

/** Assistants that act for an account, in Spanish. */
export const assistants: Translation<typeof english> = {
  'assistants.title': '¿Conectar {name}?',
  'assistants.asks': '{name} quiere usar Millrace en tu nombre. Ha elegido este nombre por su cuenta.',
  'assistants.account': 'Tu cuenta',
  'assistants.goesTo': 'Recibe el acceso',
  'assistants.goesToMachine': '{host}, un programa de este ordenador',
  'assistants.project': 'Proyecto',
  'assistants.choose': 'Elige un proyecto',
  'assistants.projectHint': 'Solo puede usar este proyecto.',
  'assistants.noProject': 'Tu cuenta no tiene ningún proyecto que pueda usar.',
  'assistants.scope': 'Acceso',
  'assistants.readOnly': 'Lee los datos del proyecto, también los de personas, y no cambia nada.',
  'assistants.rights':
    'Nunca tiene más permisos que los tuyos en ese momento. Puedes desconectarlo en Ajustes, Cuenta.',
  'assistants.trust': 'Conecta solo lo que hayas iniciado tú.',
  'assistants.connect': 'Conectar',
  'assistants.refuse': 'No conectar',
  'assistants.over': 'Esta petición ha caducado o ya se respondió. Empieza de nuevo en el asistente.',
  'assistants.answered': 'Vuelve a {name}. Puedes cerrar esta página.',
  'assistants.other': 'Usar otra cuenta',
  'assistants.list': 'Asistentes conectados',
  'assistants.listText':
    'Asistentes que has conectado con la dirección {url}. Actúan en tu nombre en un proyecto, nunca con más permisos que los tuyos en ese momento.',
  'assistants.none': 'No hay ningún asistente conectado.',
  'assistants.ends': 'Termina sin uso',
  'assistants.disconnect': 'Desconectar',
  'assistants.disconnectNamed': 'Desconectar {name}',
  'assistants.disconnectAsk': '¿Desconectar {name}?',
  'assistants.disconnectText': 'Se rechaza en segundos. Para volver a usarlo, conéctalo otra vez.',
}

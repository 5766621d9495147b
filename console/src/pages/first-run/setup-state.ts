import { readPreference, writePreference } from '../../context/preference.ts'

function preferenceOf(projectId: string): string {
  return `setup_${projectId}`
}

/** Whether the set-up of a project goes on: neither done nor dismissed. Apart from the card, which loads only then. */
export function isSetupOpen(projectId: string): boolean {
  return readPreference(preferenceOf(projectId)) === ''
}

/** Keeps the card away from now on. */
export function endSetup(projectId: string): void {
  writePreference(preferenceOf(projectId), 'over')
}

import './messages.ts'
import { t } from '../i18n/translate.ts'

/** The shown name of a person. */
export interface PersonName {
  readonly name: string
  /** The line below or beside the name: an email address, an ID, or that the person is anonymous. */
  readonly detail: string
  readonly isAnonymous: boolean
}

/** The facts from which a person's name is chosen. */
export interface NamedPerson {
  /** Any ID of the person. */
  readonly id: string
  /** As given to Identify; empty for an anonymous person. */
  readonly externalId: string
  readonly properties?: Readonly<Record<string, unknown>> | undefined
}

/** Longer IDs of anonymous people are cut to their end. */
const ID_MAX = 12
const ID_SHOWN = 6

/** The name of a person: a property, an email address or an ID. */
export function namePerson({ id, externalId, properties = {} }: NamedPerson): PersonName {
  const text = (key: string): string => (typeof properties[key] === 'string' ? properties[key].trim() : '')
  const full = [text('first_name'), text('last_name')].filter((part) => part !== '').join(' ')
  const name = text('name') || full || text('username')
  const email = text('email')
  const isAnonymous = externalId === '' && name === '' && email === ''
  if (isAnonymous)
    return { name: t('people.visitor', { id: shorten(id) }), detail: t('people.anonymous'), isAnonymous }
  const known = externalId || id
  return {
    name: name || email || known,
    detail: name === '' ? (email === '' ? '' : known) : email || known,
    isAnonymous,
  }
}

/** The end of a long ID, without its dashes. */
function shorten(id: string): string {
  return id.length <= ID_MAX ? id : id.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(-ID_SHOWN)
}

/** The address of a person's page. */
export function personHref(projectId: string, { id, externalId }: Omit<NamedPerson, 'properties'>): string {
  const reference = externalId === '' ? `id:${id}` : `user:${externalId}`
  return `/p/${projectId}/people/${encodeURIComponent(reference)}`
}

import type { Methods } from '../api.ts'
import { plainAddress } from './links.ts'

/** Records submitted forms by their id or name and the address that they go to; never what is in their fields. */
export function start({ track }: Pick<Methods, 'track'>): void {
  const look = ({ target }: Event): void => {
    if (!(target instanceof HTMLFormElement)) return
    // The properties may be shadowed by fields of these names.
    const action = plainAddress(new URL(target.getAttribute('action') ?? '', location.href))
    const name = target.getAttribute('name') ?? ''
    track('form_submit', { form_id: target.getAttribute('id') || name || action, form_name: name, action })
  }
  addEventListener('submit', look, true)
}

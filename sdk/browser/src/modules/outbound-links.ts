import type { Methods } from '../api.ts'
import { onLink, plainAddress } from './links.ts'

/** Records clicks on links to other hosts. */
export function start({ track }: Pick<Methods, 'track'>): void {
  onLink((link) => {
    if (link.host !== location.host)
      track('outbound_link_click', { url: plainAddress(link), host: link.host })
  })
}

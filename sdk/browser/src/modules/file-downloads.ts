import type { Methods } from '../api.ts'
import { onLink, plainAddress } from './links.ts'

/** Endings of files that browsers save, or show instead of a page. */
const FILE =
  /\/([^/]+\.(7z|apk|avi|csv|deb|dmg|docx?|epub|exe|gz|iso|jar|key|midi?|mov|mp[34]|mpe?g|msi|odp|ods|odt|pdf|pkg|pps|pptx?|rar|rpm|rtf|tgz|txt|wav|wm[av]|xlsx?|xz|zip))$/i

/** Records clicks on links to files. */
export function start({ track }: Pick<Methods, 'track'>): void {
  onLink((link) => {
    const [, name, type = ''] = FILE.exec(link.pathname) ?? []
    if (!name) return
    track('file_downloaded', { file_id: plainAddress(link), file_name: name, file_type: type.toLowerCase() })
  })
}

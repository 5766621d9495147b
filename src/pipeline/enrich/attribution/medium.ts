import type { SourceKind } from './source-tables.ts'

/** A parsed campaign medium. */
export interface Medium {
  readonly isPaid: boolean
  /** Its form, if it names one; takes precedence over the kind of the source. */
  readonly form?: SourceKind | 'display' | 'affiliate' | 'referral' | 'organic' | 'none'
}

/** Mediums in lower case, first match wins. `cp…` and `pp…` are pricing models: per click, view or action. */
const MEDIUMS: readonly (readonly [RegExp, Medium])[] = [
  [/^(?:\(none\)|none|\(not set\)|direct)$/, { isPaid: false, form: 'none' }],
  [
    /^(?:display|banners?|expandable|interstitial|native|programmatic|gdn)$/,
    { isPaid: false, form: 'display' },
  ],
  [/^cpm$/, { isPaid: true, form: 'display' }],
  [/^(?:paid.*(?:search|sem)|sem)$/, { isPaid: true, form: 'search' }],
  [/^paid.*social|^social.*(?:paid|ads?|cpc)$/, { isPaid: true, form: 'social' }],
  [/^paid.*video|^video.*(?:paid|ads?)$|^cpv$/, { isPaid: true, form: 'video' }],
  [/^ads?$|^paid|(?:^|[^a-z])(?:cp[aceilmotv]|pp[cv])(?![a-z])|(?:retarget|remarket)ing/, { isPaid: true }],
  [/^(?:e[-_ ]?mails?|newsletters?)$/, { isPaid: false, form: 'email' }],
  [/^(?:affiliates?|partners?-?program)$/, { isPaid: false, form: 'affiliate' }],
  [/^(?:social(?:[-_ ]?(?:network|media))?|organic[-_ ]?social|sm)$/, { isPaid: false, form: 'social' }],
  [/video/, { isPaid: false, form: 'video' }],
  [/^organic(?:[-_ ]?search)?$/, { isPaid: false, form: 'organic' }],
  [/^(?:referral|link|app)$/, { isPaid: false, form: 'referral' }],
]

const OTHER: Medium = { isPaid: false }

/** Reads a medium in lower case. */
export function readMedium(medium: string): Medium {
  return MEDIUMS.find(([pattern]) => pattern.test(medium))?.[1] ?? OTHER
}

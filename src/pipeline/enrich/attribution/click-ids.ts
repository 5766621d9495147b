import type { SourceKind } from './source-tables.ts'

/**
 * Parameters that advertising networks add to the URL of an ad, with the kind of the network. A campaign that names its
 * medium needs none of them. `fbclid` is not here: Facebook adds it to links that nobody paid for as well.
 */
export const CLICK_IDS: Readonly<Record<string, SourceKind | 'display'>> = {
  gclid: 'search',
  gbraid: 'search',
  wbraid: 'search',
  msclkid: 'search',
  yclid: 'search',
  dclid: 'display',
  ttclid: 'social',
  twclid: 'social',
  li_fat_id: 'social',
  rdt_cid: 'social',
  ScCid: 'social',
}
